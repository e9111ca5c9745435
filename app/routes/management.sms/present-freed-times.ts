import type { FreedTime } from "~/features/freed-times/list-freed-times.server";
import { atTime, showDateTime } from "~/text/dates";

const shortDay = new Intl.DateTimeFormat("da-DK", { weekday: "long", timeZone: "UTC" });

function whenOf(moment: string): string {
  const weekday = shortDay.format(new Date(`${moment.slice(0, 10)}T12:00:00Z`));
  const day = `${moment.slice(8, 10)}.${moment.slice(5, 7)}.`;
  return `${weekday.charAt(0).toUpperCase()}${weekday.slice(1)} ${day} ${atTime(moment.slice(11))}`;
}

const outcomes = { declined: "sagde nej", expired: "svarede ikke i tide", withdrawn: "tilbuddet blev taget tilbage" };

const waits = (days: number) => (days === 0 ? "siden i dag" : days === 1 ? "venter 1 dag" : `venter ${days} dage`);

export const presentFreedTimes = (times: FreedTime[]) =>
  times.map((time) => ({
    ...time,
    when: whenOf(time.moment),
    what: time.treatment ?? "Uden behandlingstype",
    how: [time.durationMinutes === null ? null : `${time.durationMinutes} min.`, time.surgeon]
      .filter(Boolean)
      .join(" · "),
    offer: time.offer && {
      ...time.offer,
      text: `Tilbudt ${time.offer.name}, svar senest ${showDateTime(time.offer.expiresAt)}`,
    },
    refused: time.refused.map((one) => `${one.name}: ${outcomes[one.outcome]}`),
    waiting: time.waiting.map((one) => ({ ...one, waits: waits(one.days) })),
    more: time.waitingCount - time.waiting.length,
  }));

export type ShownFreedTime = ReturnType<typeof presentFreedTimes>[number];
