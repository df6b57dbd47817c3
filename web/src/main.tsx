// Which page is this? Finds where the data are, and shows them.

import { render } from "preact";
import { ServerSource } from "./source.ts";
import { applyScheme } from "./theme/palette.ts";

const root = document.getElementById("page")!;
applyScheme(document.documentElement, matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
const source = new ServerSource(new URL(".", location.href).pathname);
source.overview().then(
    (overview) => render(<h1>{overview.title}</h1>, root),
    (error: Error) => render(<p role="alert">{error.message}</p>, root),
);
