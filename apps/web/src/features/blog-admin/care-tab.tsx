import type { ReactNode } from 'react';
import { Button } from '../../components/ui/button';
import { Notice } from '../../components/ui/surface';
import { Ticks } from '../../components/ui/ticks';
import { formatCount } from '../../lib/format';
import { formatRelativeTime } from '../../lib/relative-time';
import type { Cleaning, CleaningTool, Migration, MigrationTool } from './care';
import { careTexts as texts } from './texts';

/** Tools that go over all articles: pictures and contents. */
export function CareTab({ migration, cleaning }: { migration: MigrationTool; cleaning: CleaningTool }) {
  return (
    <ul className="grid divide-y divide-line">
      <Tool
        title={texts.migrateTitle}
        text={texts.migrateText}
        button={
          <Button variant="secondary" isBusy={migration.isRunning} onClick={migration.run}>
            {texts.migrate}
          </Button>
        }
      >
        {migration.last && <MigrationResult {...migration.last} />}
      </Tool>
      <Tool
        title={texts.cleanTitle}
        text={texts.cleanText}
        button={
          <Button variant="secondary" isBusy={cleaning.isRunning} disabled={cleaning.isUndoing} onClick={cleaning.run}>
            {texts.clean}
          </Button>
        }
      >
        {cleaning.last && (
          <CleaningResult {...cleaning.last}>
            {cleaning.last.cleaningId !== null && (
              <Button
                variant="quiet"
                size="small"
                className="-ml-3.5"
                isBusy={cleaning.isUndoing}
                disabled={cleaning.isRunning}
                onClick={cleaning.undo}
              >
                {texts.undo}
              </Button>
            )}
          </CleaningResult>
        )}
      </Tool>
    </ul>
  );
}

function Tool({ title, text, button, children }: { title: string; text: string; button: ReactNode; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[minmax(0,1fr)] gap-3 px-4 py-5 md:grid-cols-[minmax(0,1fr)_auto] md:items-start md:p-7">
      <div className="grid grid-cols-[minmax(0,1fr)]">
        <h3 className="text-lg">{title}</h3>
        <p className="mt-1 max-w-[46em] text-md text-muted">{text}</p>
        <div role="status">{children}</div>
      </div>
      <div className="max-md:grid max-md:grid-cols-[minmax(0,1fr)]">{button}</div>
    </li>
  );
}

function MigrationResult({ at, migrated, errors, total, left }: Migration & { at: string }) {
  const remaining = total - migrated - errors;
  if (total === 0) {
    return (
      <p className="mt-3 text-sm text-muted">
        {texts.lastTime(formatRelativeTime(at))}: {texts.noImages}
      </p>
    );
  }
  return (
    <div data-tool="blog" className="mt-3 grid grid-cols-[minmax(0,1fr)] gap-1.5 text-sm text-muted">
      <p className="flex flex-wrap gap-x-3">
        <span>{texts.lastTime(formatRelativeTime(at))}</span>
        <span aria-hidden>
          <b className="font-semibold text-ink">{formatCount(migrated)}</b> {texts.of(formatCount(total))}
        </span>
      </p>
      <Ticks value={migrated} of={total} label={texts.imageCount(migrated, total)} />
      {remaining > 0 && <p className="mt-1 text-ink">{texts.remaining(remaining)}</p>}
      {errors > left.length && <p className="mt-1">{texts.imageErrors(errors)}</p>}
      {left.length > 0 && (
        <ul className="mt-1 grid max-h-60 gap-1 overflow-y-auto wrap-anywhere" tabIndex={0} aria-label={texts.leftLabel}>
          {left.map(({ title, name, reason }, index) => (
            <li key={index}>{texts.couldNot(name, title, reason)}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function CleaningResult({ at, cleaned, errors, total, unfinished, children }: Cleaning & { at: string; children: ReactNode }) {
  return (
    <div className="mt-3 grid justify-items-start gap-2">
      <p className="text-sm text-muted">{texts.lastTime(formatRelativeTime(at))}</p>
      <Notice tone={errors > 0 ? 'warning' : 'success'} className="w-full">
        <p>
          <b className="font-semibold">{texts.cleaned}</b> {texts.articleCount(cleaned, total - cleaned - errors)}
        </p>
        {errors > 0 && <p>{texts.cleanErrors(errors)}</p>}
        {unfinished > 0 && <p>{texts.cleanRemaining}</p>}
      </Notice>
      {children}
    </div>
  );
}
