// One of a few: radio buttons beside each other.

interface Props {
    readonly label: string;
    readonly options: readonly string[];
    readonly names?: Readonly<Record<string, string>>;
    readonly value: string;
    readonly choose: (value: string) => void;
}

export function Choice({ label, options, names, value, choose }: Props) {
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
