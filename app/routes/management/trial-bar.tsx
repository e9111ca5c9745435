import { channelLabels, type ChannelName } from "~/features/delivery/delivery-outcome";
import { paths } from "~/paths";

/** Outside production these channels send nothing, and users must know it. */
export function TrialBar({ channels }: { channels: readonly ChannelName[] }) {
  if (channels.length === 0) return null;
  return (
    <p className="m-0 px-4 py-0.5 bg-warn-bg text-ink text-label text-center print:hidden">
      Prøve: {channels.map((name) => channelLabels[name]).join(", ")} gemmes på denne maskine og sendes ikke.{" "}
      <a href={paths.outbox} className="text-inherit">
        Se beskederne
      </a>
    </p>
  );
}
