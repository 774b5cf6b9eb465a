import {
  type AutomationType,
  defaultConfiguration,
  slotsRefusal,
  validateAutomation,
  wizardCatalogue,
  type WizardProblem,
} from '@decola/contracts';
import { ArrowLeft, Sparkles } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { toast } from 'sonner';
import { useUser } from '../../app/session';
import { useSlots } from '../../app/subscription';
import { Button } from '../../components/ui/button';
import { Badge, Card, Notice } from '../../components/ui/surface';
import { usePageTitle } from '../../lib/page-title';
import { UpgradeDialog } from '../plans/upgrade-dialog';
import { ConfigurationStep } from './configuration-step';
import { CookieStep } from './cookie-step';
import { FrequencyStep } from './frequency-step';
import { LeaveGuard } from './leave-guard';
import { StepsNav } from './steps-nav';
import { summaryOf } from './summary';
import { type Configuration, useDraft } from './use-draft';
import { type Editing, type SaveKind, useSave } from './use-save';

/** The step is part of the address, so that back leads to the one before. */
function useStep(last: number) {
  const [params, setParams] = useSearchParams();
  const asked = Number(params.get('passo') ?? 1);
  const step = Number.isInteger(asked) ? Math.min(Math.max(asked, 1), last) : 1;
  const go = (next: number) => {
    if (next === step) return;
    setParams((before) => {
      before.set('passo', String(next));
      return before;
    });
  };
  return [step, go] as const;
}

/** After a step was changed or a problem found, the keyboard stands where the eye looks: at the first problem, else at the step's title. */
function useFocus(step: number, attempts: number) {
  const region = useRef<HTMLElement>(null);
  const seen = useRef({ step, attempts });
  useEffect(() => {
    if (seen.current.step === step && seen.current.attempts === attempts) return;
    seen.current = { step, attempts };
    const problem = region.current?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset[data-invalid] input');
    (problem ?? region.current?.querySelector<HTMLElement>('h2'))?.focus();
  }, [step, attempts]);
  return region;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : '');

/** One automation, step by step: a new one, or a stored one that is edited. */
export function Wizard({ type, editing }: { type: AutomationType; editing?: Editing }) {
  const user = useUser();
  const navigate = useNavigate();
  const slots = useSlots();
  const { title, description, steps, slotCost } = wizardCatalogue[type];
  usePageTitle(editing ? `Editar ${title}` : title);
  const initial = useMemo(() => ({ ...(defaultConfiguration(type) as Configuration), ...editing?.configuration }), [type, editing]);
  const { configuration, change, forget, isChanged } = useDraft(`wizard:${user.id}:${editing?.id ?? type}`, initial);
  const [step, goTo] = useStep(steps.length);
  const [problems, setProblems] = useState<readonly WizardProblem[]>([]);
  const [attempts, setAttempts] = useState(0);
  const [isUpgrading, setUpgrading] = useState(false);
  const region = useFocus(step, attempts);
  const [isSaved, setSaved] = useState(false);
  const { save, saving } = useSave(type, editing);
  const isSessionStored = editing?.configuration['sessionStored'] === true;
  const free = Math.max(0, slots.data ?? 0);
  const isFull = !editing && slots.isSuccess && free <= 0;

  // Left only when what was saved is no longer taken for unsaved.
  useEffect(() => {
    if (isSaved) void navigate('/adm');
  }, [isSaved, navigate]);

  const byField = Object.fromEntries(problems.map(({ field, message }) => [field, message]));
  const edit = (patch: Configuration) => {
    change(patch);
    setProblems((before) => before.filter(({ field }) => !(field in patch)));
  };

  const finish = async (kind: SaveKind) => {
    // The page stays until the next one has been loaded: pressed again, it would store a second automation.
    if (isSaved) return;
    const found = kind === 'publish' ? validateAutomation(type, configuration, { hasStoredSession: isSessionStored }) : [];
    setProblems(found);
    const [first] = found;
    if (first) {
      goTo(first.step);
      setAttempts(attempts + 1);
      toast.error(first.message);
      return;
    }
    // While the count is not known, the server decides.
    if (kind === 'publish' && !editing && slots.isSuccess && free < slotCost) {
      if (slotCost > 1) toast.error(slotsRefusal(slotCost, free));
      setUpgrading(true);
      return;
    }
    if (!(await save(kind, configuration))) return;
    forget();
    setSaved(true);
  };

  const isBusy = saving !== null || isSaved;
  const summary = summaryOf(type, configuration);
  const fields = { configuration, onChange: edit, problems: byField };
  return (
    <div className="grid grid-cols-1 gap-6">
      <header className="grid gap-2">
        <Link to="/adm" className="inline-flex min-h-11 items-center gap-2 justify-self-start font-medium text-muted hover:text-ink">
          <ArrowLeft className="size-4" aria-hidden /> Voltar ao Dashboard
        </Link>
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="text-2xl sm:text-3xl">{title}</h1>
          {editing && <Badge tone="brand">Editando automação</Badge>}
          {!editing && slots.isSuccess && (
            <Badge tone={isFull ? 'danger' : 'success'}>{isFull ? 'Sem slots disponíveis' : `${free} slots disponíveis`}</Badge>
          )}
        </div>
        <p className="text-muted">{description}</p>
      </header>
      {isFull && (
        <div role="alert">
          <Notice>
            Seus slots estão todos em uso. Você pode salvar um rascunho, excluir uma automação ou escolher um plano maior.{' '}
            <button
              type="button"
              className="inline-flex min-h-11 items-center font-semibold underline underline-offset-4"
              onClick={() => setUpgrading(true)}
            >
              Ver planos
            </button>
          </Notice>
        </div>
      )}
      <div className="grid grid-cols-1 gap-4 md:grid-cols-[15rem_minmax(0,1fr)] md:gap-6">
        <StepsNav titles={steps} current={step} failing={new Set(problems.map((problem) => problem.step))} onGo={goTo} />
        <Card ref={region} className="grid grid-cols-1 gap-6">
          <h2 tabIndex={-1} className="text-xl">
            {steps[step - 1]}
          </h2>
          {step === 1 && type !== 'prize-extractor' && (
            <CookieStep
              value={textOf(configuration['sessionCookie'])}
              onChange={(sessionCookie) => edit({ sessionCookie })}
              storedFor={isSessionStored ? textOf(editing.configuration['sessionAccount']) || 'esta automação' : null}
              error={byField['sessionCookie']}
            />
          )}
          {(step === 2 || type === 'prize-extractor') && <ConfigurationStep type={type} {...fields} />}
          {step === 3 && <FrequencyStep {...fields} />}
          {summary && step > 1 && (
            <p className="flex gap-3 rounded-xl bg-brand-soft px-4 py-3 font-medium">
              <Sparkles className="mt-0.5 size-5 shrink-0 text-brand" aria-hidden /> <span>{summary}</span>
            </p>
          )}
          <div className="grid gap-2 border-t border-line pt-5 sm:flex sm:flex-row-reverse">
            {step < steps.length ? (
              <Button onClick={() => goTo(step + 1)}>Próximo</Button>
            ) : (
              <>
                <Button onClick={() => void finish('publish')} isBusy={saving === 'publish'} disabled={isBusy}>
                  {editing ? 'Salvar Alterações' : 'Criar Automação'}
                </Button>
                <Button variant="outline" onClick={() => void finish('draft')} isBusy={saving === 'draft'} disabled={isBusy}>
                  Salvar Rascunho
                </Button>
              </>
            )}
            {step > 1 && (
              <Button variant="quiet" className="sm:mr-auto" onClick={() => goTo(step - 1)}>
                Anterior
              </Button>
            )}
          </div>
        </Card>
      </div>
      <UpgradeDialog isOpen={isUpgrading} onClose={() => setUpgrading(false)} />
      <LeaveGuard isActive={isChanged && !isSaved} />
    </div>
  );
}
