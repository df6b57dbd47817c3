// Which task graph is a program of threads? A task is what a thread does between two synchronisations:
// creations, joins, barriers, conditions and semaphores are the precedences. Which wait is ended by which
// release, where the program leaves that open (semaphores, the next of several joins), is as in an execution
// with a processor for every thread and no locks.
//
// A loop that creates or joins threads is one task, unless that makes a path longer by more than 1 % of the
// execution's time.
//
// What a task graph cannot say is left out, and the assumptions name it: waiting for locks (which stay as the
// parameters of lock_parameters.h, of the sixteen locks that are held longest), time asleep or in input and
// output, priorities, yields.
//
// Tasks of different threads with the same predecessors and successors are one group; each is pinned to its
// thread. A thread that does nothing between two synchronisations passes its precedences on: no task of time
// 0 stands for it, unless that would take many more precedences.

#pragma once

#include "core/result.h"
#include "program/task_graph.h"
#include "program/thread_program.h"

namespace parcast::extract {

// Passes check(). REQUIRES: check(program). Errors: inconsistent (threads that wait for what nobody gives).
// Cost: time O(operations * log(threads)), memory 40 bytes a task and 8 a precedence.
Result<TaskGraph> task_graph_of(ThreadProgram const& program);

}  // namespace parcast::extract
