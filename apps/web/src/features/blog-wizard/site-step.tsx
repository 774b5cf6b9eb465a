import { useQuery } from '@tanstack/react-query';
import { Check, Download } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../components/ui/button';
import { Dial } from '../../components/ui/dial';
import { TextField } from '../../components/ui/field';
import { classes } from '../../lib/classes';
import { hostOf, type useSiteCheck } from '../customer-sites/site-check';
import { checkTexts } from '../customer-sites/texts';
import { TokenField } from '../customer-sites/token-field';
import { Verdict } from '../customer-sites/verdict';
import { webhookTokenQuery } from '../customer-sites/webhook-token';
import { siteStepTexts as texts } from './texts';

interface SiteStepProps {
  userId: string;
  webhookUrl: string;
  onChange: (webhookUrl: string) => void;
  error: string | undefined;
  check: ReturnType<typeof useSiteCheck>;
}

/** Plugin, token and address of the site, and the check that they work together. */
export function SiteStep({ userId, webhookUrl, onChange, error, check }: SiteStepProps) {
  const token = useQuery(webhookTokenQuery(userId)).data;
  const start = () => check.start({ webhookUrl, token });
  const isProved = check.data?.success === true;
  return (
    <ol className="grid min-w-0 grid-cols-[minmax(0,1fr)] divide-y divide-line">
      <Part number={1} title={texts.install} isDone={isProved}>
        <p className="text-md text-muted">{texts.installHow}</p>
        <Button asChild variant="secondary" className="justify-self-start">
          <a href="/plugin-wordpress.zip" download>
            <Download className="size-[18px]" aria-hidden /> {texts.download}
          </a>
        </Button>
      </Part>
      <Part number={2} title={texts.pasteToken} isDone={isProved || Boolean(token)}>
        <TokenField userId={userId} />
      </Part>
      <Part number={3} title={texts.address} isDone={isProved}>
        <TextField
          label={texts.url}
          hint={texts.urlHint}
          error={error}
          type="url"
          inputMode="url"
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          placeholder={texts.urlPlaceholder}
          value={webhookUrl}
          onChange={({ target }) => {
            check.forget();
            onChange(target.value);
          }}
        />
        <Button variant="secondary" className="justify-self-start" isBusy={check.isPending} onClick={start}>
          {checkTexts.check}
        </Button>
        <Verdict
          key={check.submittedAt}
          webhookUrl={hostOf(check.variables?.webhookUrl ?? webhookUrl)}
          isChecking={check.isPending}
          answer={check.isError ? null : check.data}
          onAgain={start}
        />
      </Part>
    </ol>
  );
}

function Part({ number, title, isDone, children }: { number: number; title: string; isDone: boolean; children: ReactNode }) {
  return (
    <li className="grid min-w-0 grid-cols-[44px_minmax(0,1fr)] gap-x-3.5 gap-y-3 py-6 first:pt-0 last:pb-0">
      <Dial
        state="on"
        size="small"
        filled={isDone ? 1 : 0}
        className={classes('[--ts:transparent]', isDone ? '[--t:var(--success-lamp)]' : '[--t:var(--ink)]')}
      >
        {isDone ? <Check className="icon text-success" /> : <span className="text-sm font-bold text-ink">{number}</span>}
      </Dial>
      <h3 className="self-center text-md font-semibold font-stretch-normal">{title}</h3>
      <div className="col-span-full grid min-w-0 grid-cols-[minmax(0,1fr)] gap-3.5 sm:col-span-1 sm:col-start-2">{children}</div>
    </li>
  );
}
