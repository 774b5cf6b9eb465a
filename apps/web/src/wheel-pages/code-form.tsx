import { formatPrizeCode, readPrizeCode } from '@decola/contracts/wheel-page';
import { type FormEvent, useState } from 'react';
import { Button } from '../components/ui/button';
import { TextField } from '../components/ui/field';
import { usePageTitle } from '../lib/page-title';
import { PageFrame } from './page-frame';
import { codeFormTexts as texts } from './texts';

interface CodeFormProps {
  /** As it stands in the address. */
  code: string;
  /** The word of the button. */
  action: string;
  /** Gets the code as it is written for people. */
  onCode: (code: string) => void;
}

/** A code that leads to no prize: most often it was typed wrong, so it can be typed again. */
export function CodeForm({ code, action, onCode }: CodeFormProps) {
  usePageTitle(texts.documentTitle);
  const [typed, setTyped] = useState(code);
  const [problem, setProblem] = useState<string | undefined>(readPrizeCode(code) === undefined ? texts.wrongLetter : texts.unknown);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const read = readPrizeCode(typed);
    if (read === undefined) setProblem(texts.wrongLetter);
    else onCode(formatPrizeCode(read));
  };
  return (
    <PageFrame>
      <h1 className="title">{texts.title}</h1>
      <form onSubmit={submit} noValidate className="lit sheet grid w-full gap-4 rounded-panel shadow-2">
        <p className="text-muted">{texts.text}</p>
        <TextField
          label={texts.label}
          value={typed}
          error={problem}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          maxLength={40}
          onChange={(event) => {
            setTyped(event.target.value);
            setProblem(undefined);
          }}
        />
        <Button type="submit" size="large">
          {action}
        </Button>
      </form>
    </PageFrame>
  );
}
