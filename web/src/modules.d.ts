// What build.mjs makes of other kinds of imports.

declare module "script:*" {
    const script: string; // the bundled script, as text
    export default script;
}

declare module "*.css" {}
