import type { ReactNode } from 'react';

/** Two panes beside each other on wide screens, divided by a hairline. */
export function Panes({ children }: { children: ReactNode }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] divide-line max-[959px]:divide-y min-[960px]:grid-cols-2 min-[960px]:divide-x">
      {children}
    </div>
  );
}

interface PaneProps {
  title: string;
  lead: string;
  children: ReactNode;
}

export function Pane({ title, lead, children }: PaneProps) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 px-4 py-5 min-[960px]:p-7">
      <header>
        <h3 className="text-xl">{title}</h3>
        <p className="mt-1 text-md text-muted">{lead}</p>
      </header>
      {children}
    </div>
  );
}
