import { paths } from "~/paths";
import type { QueueItem } from "~/ui/lists/queue-line";

export const failureQueue = (count: number): QueueItem[] =>
  count === 0
    ? []
    : [
        {
          key: "failures",
          count,
          label: count === 1 ? "fejlet" : "fejlede",
          to: paths.failures,
          isRed: true,
          staysInLine: true,
        },
      ];
