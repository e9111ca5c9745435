/**
 * Preloaded into a measured portal: moves the clock to noon of the next Monday after today, when the overview may show the alert
 * about the missing file.
 */
const aDay = 86_400_000;
const RealDate = Date;
const real = new RealDate();
const noon =
  RealDate.UTC(real.getUTCFullYear(), real.getUTCMonth(), real.getUTCDate(), 12) +
  ((8 - real.getUTCDay()) % 7 || 7) * aDay;
const ahead = noon - real.getTime();

globalThis.Date = class extends RealDate {
  constructor(...given) {
    if (given.length === 0) super(RealDate.now() + ahead);
    else super(...given);
  }

  static now() {
    return RealDate.now() + ahead;
  }
};
