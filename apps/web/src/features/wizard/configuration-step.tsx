import { type AutomationType, wizardCatalogue } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { useUser } from '../../app/session';
import { Button } from '../../components/ui/button';
import { ChoiceField, TextAreaField, TextField } from '../../components/ui/field';
import { Failure } from '../../components/ui/surface';
import { formatCount, formatDate } from '../../lib/format';
import { client, dataOf } from '../../lib/runtime';

export type Configuration = Record<string, unknown>;

interface StepProps {
  type: AutomationType;
  configuration: Configuration;
  onChange: (patch: Configuration) => void;
  /** Message by field. */
  problems: Readonly<Record<string, string>>;
}

const text = (configuration: Configuration, field: string) => (typeof configuration[field] === 'string' ? configuration[field] : '');

const emojis = ['😍', '👏', '🔥', '❤️', '😊', '🙌', '✨', '💯', '👍', '🎉', '😂', '🤩', '💪', '🙏', '😎', '🥰', '👌', '💫', '🌟', '🚀'];

/** A tool reads from one source only: a list of an earlier choice would still be acted on. */
function sourceOf(method: string): Configuration {
  return method === 'slot' ? { method, dataSource: 'extracted' } : { method, dataSource: null, extractedSlotId: null };
}

export function ConfigurationStep(props: StepProps) {
  const { type, configuration, onChange, problems } = props;
  const { actions, methods } = wizardCatalogue[type];
  const method = text(configuration, 'method');
  const isUnfollow = configuration['action'] === 'unfollow';
  const field = (name: string) => ({
    value: text(configuration, name),
    onChange: (event: { target: { value: string } }) => onChange({ [name]: event.target.value }),
    error: problems[name],
  });
  return (
    <div className="grid gap-6">
      {actions.length > 1 && (
        <ChoiceField
          legend="O que fazer"
          choices={actions}
          value={text(configuration, 'action')}
          onChange={(action) => onChange({ action })}
          error={problems['action']}
        />
      )}
      {methods.length > 1 && !isUnfollow && (
        <ChoiceField
          legend="Onde encontrar as pessoas"
          choices={methods}
          value={method}
          onChange={(value) => onChange(sourceOf(value))}
          error={problems['method']}
        />
      )}
      {isUnfollow && (
        <p className="rounded-xl bg-sunken p-4">
          Só deixamos de seguir quem esta conta seguiu por aqui, dos mais antigos aos mais novos. Quem você já seguia fica.
        </p>
      )}
      {!isUnfollow && method === 'hashtag' && (
        <TextField label="Hashtag" placeholder="#cafeteria" hint="Uma ou mais, separadas por vírgula." {...field('targets')} />
      )}
      {!isUnfollow && method === 'list' && (
        <TextField
          label="Usuário alvo"
          placeholder="@nome.do.perfil"
          hint="Seguimos pessoas que seguem este perfil."
          {...field('targets')}
        />
      )}
      {!isUnfollow && method === 'slot' && (
        <SlotChoice
          value={text(configuration, 'extractedSlotId')}
          onChange={(id) => onChange({ extractedSlotId: id, dataSource: 'extracted' })}
          error={problems['extractedSlotId']}
        />
      )}
      {type === 'followers-following-extractor' && (
        <>
          <ChoiceField
            legend="O que extrair"
            choices={[
              { value: 'followers', label: 'Seguidores', description: 'Quem segue o perfil' },
              { value: 'following', label: 'Seguindo', description: 'Quem o perfil segue' },
            ]}
            value={text(configuration, 'extractionType')}
            onChange={(extractionType) => onChange({ extractionType })}
            error={problems['extractionType']}
          />
          <TextField
            label="Usuário alvo"
            placeholder="@nome.do.perfil"
            hint="O Instagram mostra a lista em páginas de 12 e às vezes não a mostra inteira: dizemos quantos foram obtidos."
            {...field('targets')}
          />
        </>
      )}
      {type === 'post-interactions-extractor' && (
        <>
          <ChoiceField
            legend="O que extrair"
            choices={[
              { value: 'likes', label: 'Curtidas', description: 'O Instagram mostra só uma amostra (cerca de 100) das curtidas' },
              { value: 'comments', label: 'Comentários' },
            ]}
            value={text(configuration, 'interactionType')}
            onChange={(interactionType) => onChange({ interactionType })}
            error={problems['interactionType']}
          />
          <TextField label="URL do post" type="url" placeholder="https://www.instagram.com/p/CODIGO/" {...field('targets')} />
        </>
      )}
      {type === 'auto-dm-sender' && (
        <>
          <TextField label="URL do post" type="url" placeholder="https://www.instagram.com/p/CODIGO/" {...field('targets')} />
          <TextField label="Palavra-chave" hint="Quem comentar esta palavra recebe a mensagem." {...field('targetKeyword')} />
          <TextAreaField label="Mensagem por direct" {...field('dmMessage')} />
          <label className="flex min-h-11 items-center gap-3 font-medium">
            <input
              type="checkbox"
              className="size-5 accent-brand"
              checked={configuration['replyToComment'] === true}
              onChange={(event) => onChange({ replyToComment: event.target.checked })}
            />
            Responder também ao comentário
          </label>
          {configuration['replyToComment'] === true && <TextAreaField label="Comentário de resposta" {...field('replyMessage')} />}
        </>
      )}
      {type === 'auto-comment' && <Comments configuration={configuration} onChange={onChange} error={problems['commentsList']} />}
      {type === 'prize-extractor' && <p className="rounded-xl bg-sunken p-4">O cadastro de prêmios da roleta chega em breve.</p>}
    </div>
  );
}

interface SlotRow {
  id: string;
  automation_name: string;
  data_type: string;
  total_records: number;
  created_at: string;
}

const dataTypes: Record<string, string> = { followers: 'seguidores', following: 'seguindo', leads: 'leads' };

function SlotChoice({ value, onChange, error }: { value: string; onChange: (id: string) => void; error: string | undefined }) {
  const { id: userId } = useUser();
  const slots = useQuery({
    queryKey: ['extracted-slots', userId],
    queryFn: async () =>
      dataOf(
        await client().rpc('get_extracted_slots', { p_user_id: userId, p_allowed_types: ['followers', 'following', 'leads'] }),
      ) as SlotRow[],
  });
  if (slots.isPending) return <p role="status">Carregando slots...</p>;
  if (slots.isError) return <Failure text="Não foi possível carregar os slots." onRetry={() => void slots.refetch()} />;
  if (slots.data.length === 0) {
    return (
      <div className="rounded-xl bg-sunken p-4">
        <p className="font-medium">Nenhum slot com dados extraídos encontrado</p>
        <p className="text-muted">Execute primeiro uma automação de extração para criar dados</p>
      </div>
    );
  }
  return (
    <div className="max-h-64 overflow-y-auto p-1">
      <ChoiceField
        legend="Slot de dados extraídos"
        choices={slots.data.map(({ id, automation_name, data_type, total_records, created_at }) => ({
          value: id,
          label: automation_name,
          description: `${formatCount(total_records)} ${dataTypes[data_type] ?? data_type} · ${formatDate(created_at)}`,
        }))}
        value={value}
        onChange={onChange}
        error={error}
      />
    </div>
  );
}

function Comments({
  configuration,
  onChange,
  error,
}: {
  configuration: Configuration;
  onChange: (patch: Configuration) => void;
  error: string | undefined;
}) {
  const stored = Array.isArray(configuration['commentsList']) ? (configuration['commentsList'] as string[]) : [];
  const list = [...stored, '', '', ''].slice(0, Math.max(3, stored.length));
  const set = (next: string[]) => onChange({ commentsList: next, comments: next.join('\n') });
  return (
    <div className="grid gap-3">
      <p className="text-sm text-muted">Use # para hashtags e @ para mencionar pessoas. Textos variados protegem sua conta.</p>
      {list.map((comment, index) => (
        <div key={index} className="grid gap-2">
          <TextField
            label={`Comentário ${index + 1}`}
            value={comment}
            onChange={(event) => set(list.map((each, at) => (at === index ? event.target.value : each)))}
            error={index === 0 ? error : undefined}
          />
          <div className="flex flex-wrap gap-1">
            {emojis.map((emoji) => (
              <button
                key={emoji}
                type="button"
                className="grid size-9 place-content-center rounded-lg hover:bg-sunken"
                aria-label={`Acrescentar ${emoji}`}
                onClick={() => set(list.map((each, at) => (at === index ? each + emoji : each)))}
              >
                {emoji}
              </button>
            ))}
          </div>
        </div>
      ))}
      <div className="flex gap-2">
        <Button variant="outline" size="small" disabled={list.length >= 10} onClick={() => set([...list, ''])}>
          Adicionar comentário
        </Button>
        <Button variant="quiet" size="small" disabled={list.length <= 3} onClick={() => set(list.slice(0, -1))}>
          Remover último
        </Button>
      </div>
    </div>
  );
}
