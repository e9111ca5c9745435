import { SelectField } from "~/ui/forms/select-field";
import { LogPanel } from "./log-panel";
import { logWords } from "./log-words";
import type { ShownLog } from "./present";

export function LogFilter({ log }: { log: ShownLog }) {
  return (
    <LogPanel type={log.log} visitNumber={log.visitNumber} isWrongNumber={log.isWrongNumber} values={[log.type]}>
      <SelectField
        name="slags"
        label={logWords[log.log].typeLabel}
        empty="Alle"
        choices={log.types}
        defaultValue={log.type ?? ""}
        disabled={log.types.length === 0}
      />
    </LogPanel>
  );
}
