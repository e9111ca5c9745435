import type { DbOrTx } from "~db/connection.server";

export async function setShortcuts(db: DbOrTx, id: number, isOn: boolean): Promise<void> {
  await db
    .updateTable("user")
    .set({ shortcuts_off: isOn ? 0 : 1 })
    .where("id", "=", id)
    .execute();
}

export async function setLightEdition(db: DbOrTx, id: number, light: boolean): Promise<void> {
  await db
    .updateTable("user")
    .set({ light_edition: light ? 1 : 0 })
    .where("id", "=", id)
    .execute();
}
