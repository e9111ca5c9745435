import { subMinutes } from "date-fns";
import { change, read } from "~/access/operation.server";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import { findSetting } from "~/features/settings/settings.server";
import { paths } from "~/paths";
import { findRaised, forgetRaised, isAlarmRaised, markTold, wasToldSince } from "./alarm-store.server";

/** Setting with the address that alarms go to; empty for none. */
export const ALARM_ADDRESS = "alarmMailAddress";

/** Minutes between two alarms. What is raised in between is named by the second. */
const PAUSE_MINUTES = 15;

const firstWords = {
  referral: "Ny hastehenvisning",
  letter: "Nyt hastebrev, EDI-brev",
  answer: "Patientens svar skal læses, henvisning",
  unplaced: "Et SMS-svar uden henvisning skal læses",
} as const;

export const readAlarmDue = read({
  name: "alarm.readDue",
  permission: "system",
  run: async ({ db, now }) => ({
    isDue: (await isAlarmRaised(db)) && !(await wasToldSince(db, subMinutes(now, PAUSE_MINUTES))),
  }),
});

/**
 * Sends one mail with the numbers of everything raised since the last alarm, to the clinic's address for alarms. It holds no
 * patient data. Test referrals and deleted ones are dropped, and so is everything while no address is set.
 */
export const sendAlarm = change({
  name: "alarm.send",
  permission: "system",
  async run({ tx, now, outbox, portal: { config } }) {
    if (await wasToldSince(tx, subMinutes(now, PAUSE_MINUTES))) return {};
    const raised = await findRaised(tx);
    const to = await findSetting(tx, ALARM_ADDRESS);
    const told = to === null ? [] : raised.filter(({ isReal }) => isReal);
    await forgetRaised(
      tx,
      raised.filter((each) => !told.includes(each)),
    );
    if (to === null || told.length === 0) return {};
    const alarms = told.map(({ cause, number }) =>
      number === null ? firstWords[cause] : `${firstWords[cause]} nr. ${number}`,
    );
    const mail = await composeMail(tx, "urgentAlarm", {
      config,
      values: {
        alarm: alarms.length === 1 ? alarms[0]! : `${alarms[0]!} og ${alarms.length - 1} mere`,
        alarmer: alarms.join(", "),
        oversigtslink: `${config.adminOrigin}${paths.overview}`,
      },
    });
    await outbox.email({ kind: "urgentAlarm", to, ...mail });
    await markTold(tx, told, now);
    return {};
  },
});
