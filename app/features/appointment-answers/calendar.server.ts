import { addMinutes } from "date-fns";

interface CalendarEvent {
  uid: string;
  /** Of two entries with one uid the higher one holds. */
  sequence: number;
  start: Date;
  minutes: number;
  title: string;
  place: string;
  note: string;
  madeAt: Date;
}

/** `20261203T091500Z`: in UTC, so that no calendar needs to know our time zone. */
const utc = (date: Date) => date.toISOString().replace(/[-:]|\.\d{3}/g, "");

const escaped = (text: string) => text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");

/** A line of at most 75 octets, gone on with in the next one after a space (RFC 5545 §3.1). */
function folded(line: string): string {
  const lines: string[] = [];
  let now = "";
  for (const sign of line) {
    if (Buffer.byteLength(now + sign) > 74) {
      lines.push(now);
      now = "";
    }
    now += sign;
  }
  return [...lines, now].join("\r\n ");
}

/** One appointment as an iCalendar file. */
export function calendarOf({ uid, sequence, start, minutes, title, place, note, madeAt }: CalendarEvent): string {
  return [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    "PRODID:-//Henvisningsportalen//Tid//DA",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    `UID:${uid}`,
    `SEQUENCE:${sequence}`,
    `DTSTAMP:${utc(madeAt)}`,
    `DTSTART:${utc(start)}`,
    `DTEND:${utc(addMinutes(start, minutes))}`,
    `SUMMARY:${escaped(title)}`,
    `LOCATION:${escaped(place)}`,
    `DESCRIPTION:${escaped(note)}`,
    "END:VEVENT",
    "END:VCALENDAR",
    "",
  ]
    .map(folded)
    .join("\r\n");
}
