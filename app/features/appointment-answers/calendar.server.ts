import { addMinutes } from "date-fns";

interface CalendarEvent {
  uid: string;
  sequence: number;
  start: Date;
  minutes: number;
  title: string;
  place: string;
  note: string;
  madeAt: Date;
}

/** UTC, so that no calendar needs a time zone definition. */
const utc = (date: Date) => date.toISOString().replace(/[-:]|\.\d{3}/g, "");

const escaped = (text: string) => text.replace(/[\\;,]/g, "\\$&").replace(/\r?\n/g, "\\n");

/** Folds a line at 75 octets (RFC 5545 §3.1). */
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
