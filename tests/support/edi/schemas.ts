import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import path from "node:path";

/** MedCom's schemas, which may not lie in the repository: the folder that EDI_SCHEMAS names. */
const folder = path.resolve(process.env.EDI_SCHEMAS ?? "../shared/samples/edi/schemas");

export const canCheckSchemas = existsSync(folder) && spawnSync("xmllint", ["--version"]).status === 0;

/** What xmllint has against a message by a schema (`2005/08/07`); empty where it is valid. */
export function schemaErrors(schema: string, message: Buffer): string {
  const file = path.join(folder, schema, "EMessage.xsd");
  const { status, stderr } = spawnSync("xmllint", ["--noout", "--schema", file, "-"], { input: message });
  return status === 0 ? "" : `${status}: ${stderr}`;
}
