import { textLimits } from '@decola/contracts';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { TextField } from '../../components/ui/field';
import type { Configuration } from './use-draft';

const emojis = ['😍', '👏', '🔥', '❤️', '😊', '🙌', '✨', '💯', '👍', '🎉', '😂', '🤩', '💪', '🙏', '😎', '🥰', '👌', '💫', '🌟', '🚀'];
const fewest = 3;
const most = 10;

interface CommentsFieldProps {
  configuration: Configuration;
  onChange: (patch: Configuration) => void;
  error: string | undefined;
}

/** Three to ten texts; an emoji goes to the one that was written last. */
export function CommentsField({ configuration, onChange, error }: CommentsFieldProps) {
  const stored = Array.isArray(configuration['commentsList']) ? (configuration['commentsList'] as string[]) : [];
  const list = [...stored, '', '', ''].slice(0, Math.max(fewest, stored.length));
  const [current, setCurrent] = useState(0);
  const chosen = Math.min(current, list.length - 1);
  const set = (next: string[]) => onChange({ commentsList: next, comments: next.join('\n') });
  const change = (at: number, text: string) => set(list.map((each, index) => (index === at ? text : each)));
  return (
    <div className="grid gap-4">
      <p className="text-[15px] text-muted">
        Use # para hashtags e @ para mencionar pessoas. Textos variados protegem sua conta: escreva pelo menos {fewest}.
      </p>
      {list.map((comment, index) => (
        <div key={index} className="flex items-end gap-1">
          <TextField
            className="flex-1"
            label={`Comentário ${index + 1}`}
            maxLength={textLimits.comment}
            value={comment}
            onFocus={() => setCurrent(index)}
            onChange={(event) => change(index, event.target.value)}
            error={index === 0 ? error : undefined}
          />
          {list.length > fewest && (
            <Button
              variant="quiet"
              size="icon"
              className="h-12"
              aria-label={`Remover comentário ${index + 1}`}
              onClick={() => set(list.filter((_, at) => at !== index))}
            >
              <X className="size-5" aria-hidden />
            </Button>
          )}
        </div>
      ))}
      <fieldset>
        <legend className="text-[15px] font-medium">Emojis para o comentário {chosen + 1}</legend>
        <div className="mt-1 flex flex-wrap">
          {emojis.map((emoji) => (
            <button
              key={emoji}
              type="button"
              className="grid size-11 place-content-center rounded-lg text-xl hover:bg-sunken"
              aria-label={`Acrescentar ${emoji}`}
              onClick={() => change(chosen, `${list[chosen] ?? ''}${emoji}`)}
            >
              {emoji}
            </button>
          ))}
        </div>
      </fieldset>
      <Button variant="outline" className="justify-self-start" disabled={list.length >= most} onClick={() => set([...list, ''])}>
        <Plus className="size-4" aria-hidden /> Adicionar comentário
      </Button>
    </div>
  );
}
