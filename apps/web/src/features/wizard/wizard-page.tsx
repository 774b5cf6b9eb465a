import {
  type AutomationType,
  defaultAutomationName,
  defaultConfiguration,
  frequencies,
  frequencyLabel,
  isAutomationType,
  slotsRefusal,
  validateAutomation,
  wizardCatalogue,
  type WizardProblem,
} from '@decola/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeft, Check } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Link, useNavigate, useParams, useSearchParams } from 'react-router-dom';
import { toast } from 'sonner';
import { usePageTitle } from '../../app/layout';
import { useUser } from '../../app/session';
import { useSlots } from '../../app/subscription';
import { Button } from '../../components/ui/button';
import { Badge, Card, Failure, Notice, Waiting } from '../../components/ui/surface';
import { classes } from '../../lib/classes';
import { ApiError, client, dataOf } from '../../lib/runtime';
import { UpgradeDialog } from '../plans/upgrade-dialog';
import { type Configuration, ConfigurationStep } from './configuration-step';
import { CookieStep } from './cookie-step';
import { FrequencyStep } from './frequency-step';

export function WizardPage() {
  const { type } = useParams();
  const [params] = useSearchParams();
  const editId = params.get('edit');
  if (!isAutomationType(type)) {
    return (
      <Card className="mx-auto max-w-md text-center">
        <h1 className="text-xl">Automação não encontrada</h1>
        <Button asChild className="mt-4">
          <Link to="/adm">Voltar ao Dashboard</Link>
        </Button>
      </Card>
    );
  }
  return editId ? <EditWizard key={editId} type={type} id={editId} /> : <Wizard key={type} type={type} />;
}

interface Stored {
  name: string;
  configuration: Configuration;
}

function EditWizard({ type, id }: { type: AutomationType; id: string }) {
  const { id: userId } = useUser();
  const stored = useQuery({
    queryKey: ['automation', id],
    queryFn: async () =>
      dataOf(await client().from('automations').select('name,configuration').eq('id', id).eq('user_id', userId).single<Stored>()),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  if (stored.isPending) return <Waiting />;
  if (stored.isError) return <Failure text="Erro ao carregar dados da automação" onRetry={() => void stored.refetch()} />;
  return <Wizard type={type} editing={{ id, ...stored.data }} />;
}

/** A half-filled wizard survives a reload; the session's cookie never does. */
function useDraft(key: string, initial: Configuration) {
  const [configuration, setConfiguration] = useState<Configuration>(() => {
    try {
      const kept = sessionStorage.getItem(key);
      return kept ? { ...initial, ...(JSON.parse(kept) as Configuration) } : initial;
    } catch {
      return initial;
    }
  });
  const [isChanged, setChanged] = useState(false);
  useEffect(() => {
    // Kept only once something was filled in: an untouched copy would hide what the server knows better the next time.
    if (!isChanged) return;
    const { sessionCookie: _never, ...kept } = configuration;
    sessionStorage.setItem(key, JSON.stringify(kept));
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [key, configuration, isChanged]);
  const change = (patch: Configuration) => {
    setChanged(true);
    setConfiguration((before) => ({ ...before, ...patch }));
  };
  const forget = () => {
    setChanged(false);
    sessionStorage.removeItem(key);
  };
  return { configuration, change, forget, isChanged };
}

/** What will happen, in one sentence. */
export function summaryOf(type: AutomationType, configuration: Configuration): string | null {
  const target = typeof configuration['targets'] === 'string' ? configuration['targets'].trim() : '';
  if (type === 'followers-following-extractor') {
    if (!target) return null;
    return `Extrair ${configuration['extractionType'] === 'following' ? 'quem' : 'os seguidores de'} @${target.replace(/^@/, '')}${configuration['extractionType'] === 'following' ? ' segue' : ''} para um CSV.`;
  }
  if (!wizardCatalogue[type].scheduled) return null;
  const frequency = frequencies.find((each) => each === configuration['frequency']);
  const actions = typeof configuration['rowsPerLaunch'] === 'number' ? configuration['rowsPerLaunch'] : 3;
  const action = wizardCatalogue[type].actions.find(({ value }) => value === configuration['action'])?.label.toLowerCase();
  if (!frequency || !action) return null;
  const where =
    configuration['method'] === 'hashtag' && target
      ? ` em ${target.startsWith('#') ? target : `#${target}`}`
      : configuration['method'] === 'list' && target
        ? ` entre quem segue @${target.replace(/^@/, '')}`
        : '';
  return `Até ${actions} ${actions === 1 ? 'ação' : 'ações'} de ${action}${where}, ${frequencyLabel(frequency).toLowerCase().replace(' (recomendado)', '')}.`;
}

const leaveQuestion = 'Sair sem salvar? O que você preencheu fica guardado nesta aba, menos o cookie.';

function Wizard({ type, editing }: { type: AutomationType; editing?: Stored & { id: string } }) {
  const user = useUser();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const slots = useSlots();
  const entry = wizardCatalogue[type];
  usePageTitle(entry.title);
  const initial = useMemo(() => ({ ...(defaultConfiguration(type) as Configuration), ...editing?.configuration }), [type, editing]);
  const { configuration, change, forget, isChanged } = useDraft(`wizard:${editing?.id ?? type}`, initial);
  const [step, setStep] = useState(1);
  const [problems, setProblems] = useState<readonly WizardProblem[]>([]);
  const [saving, setSaving] = useState<'draft' | 'publish' | null>(null);
  const [isUpgrading, setUpgrading] = useState(false);
  const last = entry.steps.length;
  const isSessionStored = editing?.configuration['sessionStored'] === true;
  const account = editing?.configuration['sessionAccount'];
  const free = slots.data ?? 0;

  const byField = Object.fromEntries(problems.map(({ field, message }) => [field, message]));
  const edit = (patch: Configuration) => {
    change(patch);
    setProblems((before) => before.filter(({ field }) => !(field in patch)));
  };

  const save = async (kind: 'draft' | 'publish') => {
    const found = kind === 'publish' ? validateAutomation(type, configuration, { hasStoredSession: isSessionStored }) : [];
    setProblems(found);
    const [first] = found;
    if (first) {
      setStep(first.step);
      toast.error(first.message);
      return;
    }
    // While the count is not known, the server decides.
    if (kind === 'publish' && !editing && slots.isSuccess && free < entry.slotCost) {
      if (entry.slotCost > 1) toast.error(slotsRefusal(entry.slotCost, Math.max(0, free)));
      setUpgrading(true);
      return;
    }
    setSaving(kind);
    const row = {
      name: editing?.name ?? defaultAutomationName(type, configuration),
      type,
      configuration,
      is_draft: kind === 'draft',
      is_active: kind === 'publish',
    };
    try {
      if (editing) dataOf(await client().from('automations').update(row).eq('id', editing.id).eq('user_id', user.id).select('id'));
      else
        dataOf(
          await client()
            .from('automations')
            .insert({ user_id: user.id, ...row })
            .select('id')
            .single(),
        );
      forget();
      toast.success(
        kind === 'draft'
          ? editing
            ? 'Rascunho atualizado!'
            : 'Rascunho salvo com sucesso!'
          : editing
            ? 'Automação atualizada com sucesso!'
            : 'Automação criada com sucesso!',
      );
      await queryClient.invalidateQueries();
      void navigate('/adm');
    } catch (error) {
      toast.error((error instanceof ApiError && error.message) || 'Erro ao salvar automação');
    } finally {
      setSaving(null);
    }
  };

  const summary = summaryOf(type, configuration);
  return (
    <div className="grid grid-cols-1 gap-6">
      <header className="grid gap-2">
        <Link
          to="/adm"
          className="inline-flex min-h-11 items-center gap-2 font-medium text-muted hover:text-ink"
          onClick={(event) => {
            if (isChanged && !window.confirm(leaveQuestion)) event.preventDefault();
          }}
        >
          <ArrowLeft className="size-4" aria-hidden /> Voltar ao Dashboard
        </Link>
        <div className="flex flex-wrap items-center gap-3">
          <h1 className="text-2xl sm:text-3xl">{entry.title}</h1>
          {editing && <Badge tone="brand">Editando automação</Badge>}
          {!editing && slots.isSuccess && (
            <Badge tone={free > 0 ? 'success' : 'danger'}>{free > 0 ? `${free} slots disponíveis` : 'Sem slots disponíveis'}</Badge>
          )}
        </div>
        <p className="text-muted">{entry.description}</p>
      </header>
      {!editing && slots.isSuccess && free <= 0 && (
        <Notice>Seus slots estão todos em uso. Você pode salvar um rascunho, excluir uma automação ou escolher um plano maior.</Notice>
      )}
      <div className="grid grid-cols-1 gap-6 md:grid-cols-[15rem_minmax(0,1fr)]">
        <nav aria-label="Passos">
          <ol className="flex gap-2 overflow-x-auto md:grid">
            {entry.steps.map((title, index) => {
              const number = index + 1;
              const isDone = number < step;
              return (
                <li key={title}>
                  <button
                    type="button"
                    aria-current={number === step ? 'step' : undefined}
                    onClick={() => setStep(number)}
                    className={classes(
                      'flex min-h-12 w-full items-center gap-3 rounded-xl px-3 text-left whitespace-nowrap',
                      number === step ? 'bg-brand-soft font-semibold' : 'hover:bg-sunken',
                    )}
                  >
                    <span
                      className={classes(
                        'grid size-7 shrink-0 place-content-center rounded-full text-sm font-semibold',
                        isDone || number === step ? 'bg-brand text-on-brand' : 'bg-sunken text-muted',
                      )}
                    >
                      {isDone ? <Check className="size-4" aria-label="Feito" /> : number}
                    </span>
                    {title}
                  </button>
                </li>
              );
            })}
          </ol>
        </nav>
        <Card className="grid grid-cols-1 gap-6">
          <h2 className="text-xl">{entry.steps[step - 1]}</h2>
          {step === 1 && type !== 'prize-extractor' && (
            <CookieStep
              value={typeof configuration['sessionCookie'] === 'string' ? configuration['sessionCookie'] : ''}
              onChange={(sessionCookie) => edit({ sessionCookie })}
              storedFor={isSessionStored ? (typeof account === 'string' ? account : 'esta automação') : null}
              error={byField['sessionCookie']}
            />
          )}
          {(step === 2 || type === 'prize-extractor') && step !== 3 && (
            <ConfigurationStep type={type} configuration={configuration} onChange={edit} problems={byField} />
          )}
          {step === 3 && <FrequencyStep configuration={configuration} onChange={edit} problems={byField} />}
          {summary && step > 1 && <p className="rounded-xl bg-brand-soft px-4 py-3 font-medium">{summary}</p>}
          <div className="flex flex-wrap justify-between gap-2 border-t border-line pt-5">
            <Button variant="outline" disabled={step === 1} onClick={() => setStep(step - 1)}>
              Anterior
            </Button>
            <div className="flex flex-wrap gap-2">
              {step < last ? (
                <Button onClick={() => setStep(step + 1)}>Próximo</Button>
              ) : (
                <>
                  <Button variant="outline" onClick={() => void save('draft')} isBusy={saving === 'draft'} disabled={saving !== null}>
                    Salvar Rascunho
                  </Button>
                  <Button onClick={() => void save('publish')} isBusy={saving === 'publish'} disabled={saving !== null}>
                    {editing ? 'Salvar Alterações' : 'Criar Automação'}
                  </Button>
                </>
              )}
            </div>
          </div>
        </Card>
      </div>
      <UpgradeDialog isOpen={isUpgrading} onClose={() => setUpgrading(false)} />
    </div>
  );
}
