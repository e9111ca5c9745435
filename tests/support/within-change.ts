import { type ChangeContext, change } from "~/access/operation.server";

export const withinChange = (work: (context: ChangeContext) => Promise<unknown>) =>
  change({
    name: "test",
    permission: "system",
    run: async (context) => ({ data: { answer: await work(context) } }),
  });
