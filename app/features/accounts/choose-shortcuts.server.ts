import { z } from "zod";
import { change } from "~/access/operation.server";
import { setShortcuts } from "./preference-store.server";

export const chooseShortcuts = change({
  name: "chooseShortcuts",
  permission: "account.manage",
  input: z.object({ shortcuts: z.literal("on").optional() }),
  async run({ tx, person }, { shortcuts }) {
    const isOn = shortcuts === "on";
    await setShortcuts(tx, person.id, isOn);
    return {
      flash: {
        tone: "success" as const,
        text: isOn ? "Genvejstasterne er slået til." : "Genvejstasterne er slået fra.",
      },
    };
  },
});
