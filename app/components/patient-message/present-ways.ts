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
