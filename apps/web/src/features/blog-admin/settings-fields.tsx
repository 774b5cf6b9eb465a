import { settingsLimits as limits } from '@decola/contracts';
import { Plus, X } from 'lucide-react';
import { useId, useRef } from 'react';
import { Button } from '../../components/ui/button';
import { FieldError, TextField } from '../../components/ui/field';
import { Switch } from '../../components/ui/switch';
import { newSource, type SettingsProblems, type TypedSettings, type TypedSource } from './article-settings';
import { settingsTexts as texts } from './texts';

interface SettingsFieldsProps {
  typed: TypedSettings;
  onChange: (typed: TypedSettings) => void;
  problems: SettingsProblems;
}

/** How the articles of an automation are written. Everything may stay as it is. */
export function SettingsFields({ typed, onChange, problems }: SettingsFieldsProps) {
  const change = (part: Partial<TypedSettings>) => onChange({ ...typed, ...part });
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-5">
      <Words typed={typed} onChange={change} problem={problems['words']} />
      <TextField
        label={texts.tone}
        hint={texts.toneHint}
        maxLength={limits.tone}
        value={typed.tone}
        onChange={({ target }) => change({ tone: target.value })}
      />
      <TextField
        isMultiline
        label={texts.brief}
        hint={texts.briefHint}
        maxLength={limits.brief}
        value={typed.brief}
        onChange={({ target }) => change({ brief: target.value })}
      />
      <Sources sources={typed.sources} onChange={(sources) => change({ sources })} problems={problems} />
      <Choice label={texts.cover} hint={texts.coverHint} isOn={typed.hasCover} onChange={(hasCover) => change({ hasCover })} />
      <Choice
        label={texts.disclosure}
        hint={texts.disclosureHint}
        isOn={typed.hasDisclosure}
        onChange={(hasDisclosure) => change({ hasDisclosure })}
      />
    </div>
  );
}

interface WordsProps {
  typed: TypedSettings;
  onChange: (part: Partial<TypedSettings>) => void;
  problem: string | undefined;
}

/** The two ends of an article's length. Their one error belongs to both. */
function Words({ typed, onChange, problem }: WordsProps) {
  const id = useId();
  const field = (end: 'min' | 'max', name: string) => (
    <input
      type="text"
      inputMode="numeric"
      aria-label={name}
      aria-invalid={problem ? true : undefined}
      aria-describedby={[problem && `${id}-error`, `${id}-hint`].filter(Boolean).join(' ')}
      maxLength={4}
      value={typed[end]}
      onChange={({ target }) => onChange({ [end]: target.value })}
      className="min-h-12 w-24 rounded-control bg-surface px-3.5 text-ink inset-ring inset-ring-edge transition-shadow duration-150 hover:inset-ring-ink focus-visible:inset-ring-ink aria-invalid:inset-ring-[1.5px] aria-invalid:inset-ring-danger-lamp"
    />
  );
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-2 text-md font-semibold">{texts.words}</legend>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-2">
        {field('min', texts.fewest)}
        <span aria-hidden className="text-muted">
          {texts.wordsTo}
        </span>
        {field('max', texts.most)}
      </div>
      {problem && <FieldError id={`${id}-error`}>{problem}</FieldError>}
      <p id={`${id}-hint`} className="text-sm text-muted">
        {texts.wordsHint}
      </p>
    </fieldset>
  );
}

interface SourcesProps {
  sources: readonly TypedSource[];
  onChange: (sources: TypedSource[]) => void;
  problems: SettingsProblems;
}

/** What articles may state as a fact, and link to. */
export function Sources({ sources, onChange, problems }: SourcesProps) {
  const list = useRef<HTMLUListElement>(null);
  const adding = useRef<HTMLButtonElement>(null);
  const change = (key: string, part: Partial<TypedSource>) =>
    onChange(sources.map((source) => (source.key === key ? { ...source, ...part } : source)));
  const add = () => {
    onChange([...sources, newSource()]);
    setTimeout(() => list.current?.lastElementChild?.querySelector('input')?.focus());
  };
  const remove = (key: string) => {
    onChange(sources.filter((source) => source.key !== key));
    adding.current?.focus();
  };
  return (
    <fieldset className="grid min-w-0 gap-2">
      <legend className="mb-1 text-md font-semibold">{texts.sources}</legend>
      <p className="text-sm text-muted">{texts.sourcesHint}</p>
      <ul ref={list} className="grid divide-y divide-line">
        {sources.map(({ key, title, url, text }, index) => (
          <li key={key} className="relative grid grid-cols-[minmax(0,1fr)] gap-3 py-4">
            <div className="flex items-center justify-between gap-3">
              <span className="text-md font-semibold">{texts.sourceNumber(index + 1)}</span>
              <button
                type="button"
                className="-my-2 -mr-2 grid size-11 place-content-center rounded-control text-muted hover:bg-sunken hover:text-ink"
                aria-label={texts.removeSource(title.trim() || texts.sourceNumber(index + 1))}
                onClick={() => remove(key)}
              >
                <X className="size-5" aria-hidden />
              </button>
            </div>
            <TextField
              label={texts.sourceTitle}
              maxLength={limits.sourceTitle}
              value={title}
              error={problems[`title ${key}`]}
              onChange={({ target }) => change(key, { title: target.value })}
            />
            <TextField
              label={texts.sourceUrl}
              type="url"
              inputMode="url"
              placeholder="https://"
              maxLength={limits.sourceUrl}
              value={url}
              error={problems[`url ${key}`]}
              onChange={({ target }) => change(key, { url: target.value })}
            />
            <TextField
              isMultiline
              label={texts.sourceText}
              maxLength={limits.sourceText}
              value={text}
              onChange={({ target }) => change(key, { text: target.value })}
            />
          </li>
        ))}
      </ul>
      <Button
        ref={adding}
        variant="secondary"
        size="small"
        className="justify-self-start"
        disabled={sources.length >= limits.sources}
        onClick={add}
      >
        <Plus className="size-[18px]" aria-hidden />
        {texts.addSource}
      </Button>
    </fieldset>
  );
}

/** A switch with its name and what it means. */
export function Choice({ label, hint, isOn, onChange }: { label: string; hint: string; isOn: boolean; onChange: (isOn: boolean) => void }) {
  return (
    <div className="flex items-center justify-between gap-4">
      <p className="grid gap-0.5">
        <span className="text-md font-semibold">{label}</span>
        <span className="text-sm text-muted">{hint}</span>
      </p>
      <Switch label={label} isOn={isOn} onChange={onChange} />
    </div>
  );
}
