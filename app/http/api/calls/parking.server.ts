import { z } from "zod";
import { Refusal } from "~/access/refusal";
import { listParking, lookUpOwnCar, registerCar } from "~/features/parking/operations.server";
import { normalPlate, UNKNOWN_PLATE } from "~/features/parking/plate";
import { call } from "~/http/api/api-route.server";
import { isoDay, moment, text } from "./call-shapes.server";

const booking = z.object({
  patientCpr: text,
  licensePlate: text,
  mobilePhone: text,
  referenceNumber: z.string(),
  operationDate: isoDay.nullable(),
  startDateTime: moment,
  endDateTime: moment,
});

export const parkingCalls = [
  call("GET /Parking/active-bookings", {
    summary: "The bookings of today and later",
    scope: null,
    operation: listParking,
    answer: { schema: z.array(booking) },
    async run(ask): Promise<z.output<typeof booking>[]> {
      const { bookings } = await ask(listParking);
      return bookings.map((each) => ({
        patientCpr: each.cpr,
        licensePlate: each.plate || null,
        mobilePhone: each.phone || null,
        referenceNumber: each.reference,
        operationDate: each.operationDate,
        startDateTime: each.start,
        endDateTime: each.end,
      }));
    },
  }),
  call("POST /Parking/create-booking-for-new-patient", {
    summary: "Book parking for a day; confirmMobilePhone, where it is sent, is the same number",
    scope: null,
    isPublic: true,
    operation: registerCar,
    json: z.object({
      licensePlate: z.string().optional(),
      mobilePhone: z.string().optional(),
      confirmMobilePhone: z.string().optional(),
      bookingDateTime: z.string().optional(),
    }),
    names: { notFoundPlate: "licensePlate" },
    // Form-only confirmations are filled in, since a program means what it sends.
    run: (ask, { body }) =>
      ask(registerCar, {
        ...body,
        confirmMobilePhone: body.confirmMobilePhone ?? body.mobilePhone,
        notFoundPlate: normalPlate(body.licensePlate ?? ""),
      }),
  }),
  call("POST /Parking/get-car-info", {
    summary: "What the vehicle register says of a plate, in words; 404 where it does not know it",
    scope: null,
    isPublic: true,
    operation: lookUpOwnCar,
    json: z.object({ licensePlate: z.string() }),
    answer: { schema: z.string() },
    async run(ask, { body }) {
      const { car } = (await ask(lookUpOwnCar, body)).data;
      if (car.kind === "found") return car.text;
      if (car.kind === "notFound") throw new Refusal("notInScope", { text: UNKNOWN_PLATE });
      throw new Refusal("registerUnavailable", { text: "Køretøjsregistret svarer ikke lige nu. Prøv igen om lidt." });
    },
  }),
];
