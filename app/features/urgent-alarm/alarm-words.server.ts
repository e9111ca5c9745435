import { plain, says, spacedOf } from "~/text/phrases.server";

const ALARMS =
  "blød*|synke*|vejret|åndenød|ånde|trække vejr*|hæv*|feber|allergi*|gravid*|blodfortynd*|skadestue*|lægevagt*|ambulance*|112|besvim*|død|døde|døende|dødsfald*".split(
    "|",
  );

/** Whether a clinical word asks to be read first. It orders answers and decides nothing. */
export function isAlarming(text: string): boolean {
  const spaced = spacedOf(plain(text).toLowerCase());
  return ALARMS.some((alarm) => says(spaced, alarm));
}
