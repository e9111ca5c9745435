import { loadConfig } from "./app/config/config.server";
import { runCli } from "./app/cli/run.server";

await runCli(process.argv.slice(2), () => loadConfig({ ...process.env }));
