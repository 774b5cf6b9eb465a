import { FileCheck2 } from 'lucide-react';
import { type DragEvent, useRef, useState } from 'react';
import { Button } from '../../components/ui/button';
import { classes } from '../../lib/classes';
import { auditTexts, chooseTexts as texts } from './texts';

/** Takes the audit file, chosen or dropped. */
export function FileDrop({ onFile }: { onFile: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = (files: FileList | null | undefined) => {
    const file = files?.[0];
    if (file) onFile(file);
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  return (
    <section
      aria-label={auditTexts.fileRegion}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classes(
        'grid justify-items-center gap-2.5 rounded-panel bg-sunken/45 px-5 py-12 text-center inset-ring-[1.5px] inset-ring-edge',
        isOver && 'bg-raised inset-ring-ink',
      )}
    >
      <span data-tool="wheel" className="grid size-16 place-content-center rounded-full bg-tool-soft text-tool" aria-hidden>
        <FileCheck2 className="size-7" />
      </span>
      <h2 className="text-xl">{texts.title}</h2>
      <p className="max-w-[34em] text-muted">{texts.text}</p>
      <Button size="large" className="mt-2" onClick={() => input.current?.click()}>
        {texts.choose}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".jsonl,application/x-ndjson"
        className="hidden"
        aria-label={texts.choose}
        onChange={(event) => {
          take(event.target.files);
          // The same file can be chosen again.
          event.target.value = '';
        }}
      />
      <p className="text-sm text-muted">{texts.drop}</p>
    </section>
  );
}
