import { type PlaceholderName, placeholders } from "~/features/delivery/templates/placeholders";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { type Obstacle, obstacleTexts, type Way } from "~/features/patient-messages/ways";
import type { IconName } from "~/ui/icons/icon-names";

export interface ShownWay {
  type: number;
  label: string;
  icon: IconName;
  isPossible: boolean;
  hint: string | undefined;
  subject: string;
  body: string;
}

interface ReadWay {
  type: number;
  obstacle: Obstacle | null;
  missing: PlaceholderName[];
  subject: string;
  body: string;
}

const icons: Record<ChannelName, IconName> = {
  email: "email",
  print: "letter",
  sms: "sms",
  eboks: "eboks",
  edi: "external",
  archive: "radiograph",
};

const LIKELIEST: readonly IconName[] = ["eboks", "sms", "email", "letter"];

/** The way that is chosen when the form opens: the safest one that is possible; empty if none is. */
export function likeliestWay(ways: readonly ShownWay[]): string {
  const possible = ways.filter(({ isPossible }) => isPossible);
  const found = LIKELIEST.map((icon) => possible.find((way) => way.icon === icon)).find(Boolean);
  return found ? String(found.type) : "";
}

export function presentWays(
  ways: readonly ReadWay[],
  known: readonly Way[],
  hints: Partial<Record<ChannelName, string | undefined>> = {},
): ShownWay[] {
  return ways.map(({ type, obstacle, missing, subject, body }) => {
    const { label, channel } = known.find(({ value }) => value === type)!;
    const reason = obstacle
      ? obstacleTexts[obstacle]
      : missing.length > 0
        ? `Mangler til teksten: ${missing.map((name) => placeholders[name].label.toLowerCase()).join(", ")}`
        : null;
    return {
      type,
      label,
      icon: icons[channel],
      isPossible: reason === null,
      hint: reason ?? hints[channel],
      subject,
      body,
    };
  });
}
