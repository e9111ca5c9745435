import type { ReactNode } from "react";

export function KitBox({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="panel panel-body stack-s" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}
