import { Button } from "~/ui/forms/button";
import { AppHeader, type Tab } from "~/ui/layout/tabs";

export const kitTabs: readonly Tab[] = [
  "Oversigt",
  "Henvis",
  "Indkald",
  "SMS",
  "Statistik",
  "Kladde",
  "Udskrivningsbrev",
].map((label, index) => ({
  to: `#${label}`,
  label,
  current: index === 0,
}));

export function KitHeader() {
  return (
    <AppHeader
      product="Henvisningsportalen"
      by="Kæbekirurgisk Klinik"
      home="#hjem"
      tabs={[...kitTabs, { to: "#indstillinger", label: "Indstillinger", icon: "gear" }]}
      end={
        <>
          <span>Charlotte Nørregaard Møller</span>
          <Button variant="plain" icon="logout">
            Log ud
          </Button>
        </>
      }
    />
  );
}
