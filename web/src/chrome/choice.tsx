// One of a few: radio buttons beside each other, or a list where that takes too much room.

interface Props {
    readonly label: string;
    readonly options: readonly string[];
    readonly names?: Readonly<Record<string, string>>;
    readonly value: string;
    readonly choose: (value: string) => void;
}

const mostBeside = 4;

export function Choice(props: Props) {
    return props.options.length > mostBeside ? <List {...props} /> : <Buttons {...props} />;
}

function List({ label, options, names, value, choose }: Props) {
    return (
        <div class="choice-list">
            <span aria-hidden="true">{label}</span>
            <select aria-label={label} value={value} onChange={(event) => choose(event.currentTarget.value)}>
                {options.map((option) => (
                    <option key={option} value={option}>
                        {names?.[option] ?? option}
                    </option>
                ))}
            </select>
        </div>
    );
}

function Buttons({ label, options, names, value, choose }: Props) {
    return (
        <fieldset class="choice">
            <legend>{label}</legend>
            {options.map((option) => (
                <label key={option} class={option === value ? "chosen" : ""}>
                    <input type="radio" name={label} value={option} checked={option === value} onChange={() => choose(option)} />
                    {names?.[option] ?? option}
                </label>
            ))}
        </fieldset>
    );
}
