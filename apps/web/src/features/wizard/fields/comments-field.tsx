import { commentCount, placeholderIn, textLimits } from '@decola/contracts';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../components/ui/button';
import { TextField } from '../../../components/ui/field';
import { Ticks } from '../../../components/ui/ticks';
import { formatCount } from '../../../lib/format';
import { isFilled } from '../answered';
import { configurationTexts } from '../texts';
import { commentTexts as texts } from '../tools/texts';
import type { Configuration } from '../use-draft';

const emojis = ['😍', '👏', '🔥', '❤️', '😊', '🙌', '✨', '💯', '👍', '🎉', '😂', '🤩', '💪', '🙏', '😎', '🥰', '👌', '💫', '🌟', '🚀'];
const { min, max } = commentCount;

/** From this share of the maximum length on, the number of characters is shown. */
const longShare = 0.5;
/** For browsers that do not size a field by its content: characters on one line, and the most lines that a field grows to. */
const lineLength = 30;
const mostLines = 6;

interface CommentsFieldProps {
  configuration: Configuration;
  onChange: (patch: Configuration) => void;
  error: string | undefined;
}

/** Three to ten comments; emojis are added to the one that was focused last. */
export function CommentsField({ configuration, onChange, error }: CommentsFieldProps) {
  const stored = Array.isArray(configuration['commentsList']) ? (configuration['commentsList'] as string[]) : [];
  const list = [...stored, ...Array<string>(min).fill('')].slice(0, Math.max(min, stored.length));
  const [current, setCurrent] = useState(0);
  const chosen = Math.min(current, list.length - 1);
  const written = list.filter(isFilled).length;
  const failing = written < min ? list.findIndex((comment) => !isFilled(comment)) : list.findIndex((comment) => placeholderIn(comment));
  const { title, written: writtenOf, writtenSpoken, rotation } = texts.proposals;
  const set = (next: string[]) => onChange({ commentsList: next, comments: next.join('\n') });
  const change = (at: number, text: string) => set(list.map((each, index) => (index === at ? text.slice(0, textLimits.comment) : each)));
  return (
    <div className="grid grid-cols-1 gap-4">
      <div className="grid gap-1">
        <h3 className="text-lg">{title}</h3>
        <p className="text-md text-muted">{texts.advice(min)}</p>
      </div>
      <div className="grid gap-2 text-sm" data-tool="comment">
        <p className="text-muted" aria-hidden>
          {writtenOf(written, max, min)}
        </p>
        <Ticks value={written} of={max} label={writtenSpoken(written, max, min)} />
      </div>
      {list.map((comment, index) => (
        <div key={index} className="flex min-w-0 items-start gap-1">
          <div className="grid min-w-0 flex-1 grid-cols-1 gap-1">
            <TextField
              isMultiline
              rows={Math.min(mostLines, Math.max(1, Math.ceil(comment.length / lineLength)))}
              style={{ minHeight: '3rem', maxHeight: '12rem', fieldSizing: 'content', resize: 'none' }}
              label={texts.comment(index + 1)}
              maxLength={textLimits.comment}
              value={comment}
              onFocus={() => setCurrent(index)}
              // A line break would make two comments of it: the stored texts are separated by line breaks.
              onChange={(event) => change(index, event.target.value.replace(/\s*\n\s*/g, ' '))}
              error={index === Math.max(0, failing) ? error : undefined}
            />
            {comment.length > textLimits.comment * longShare && (
              <p className="justify-self-end text-sm text-muted tabular-nums">
                {configurationTexts.characters(formatCount(comment.length), formatCount(textLimits.comment))}
              </p>
            )}
          </div>
          {list.length > min && (
            <Button
              variant="quiet"
              size="icon"
              className="mt-8 h-12"
              aria-label={texts.remove(index + 1)}
              onClick={() => set(list.filter((_, at) => at !== index))}
            >
              <X className="size-5" aria-hidden />
            </Button>
          )}
        </div>
      ))}
      <fieldset>
        <legend className="text-md font-semibold">{texts.emojis(chosen + 1)}</legend>
        <div className="mt-1 flex flex-wrap">
          {emojis.map((emoji) => (
            <button
              key={emoji}
              type="button"
              className="grid size-11 place-content-center rounded-control text-xl hover:bg-sunken"
              aria-label={texts.addEmoji(emoji)}
              onClick={() => change(chosen, `${list[chosen] ?? ''}${emoji}`)}
            >
              {emoji}
            </button>
          ))}
        </div>
      </fieldset>
      <Button
        variant="secondary"
        className="max-w-full justify-self-start whitespace-normal!"
        disabled={list.length >= max}
        onClick={() => set([...list, ''])}
      >
        <Plus className="size-4" aria-hidden /> {texts.add}
      </Button>
      <p className="text-sm text-muted">{rotation}</p>
    </div>
  );
}
