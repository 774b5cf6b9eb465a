import { type AutomationType, textLimits, wizardCatalogue } from '@decola/contracts';
import { ChoiceField, TextField } from '../../components/ui/field';
import { CommentsField } from './comments-field';
import { SlotChoice } from './slot-choice';
import type { Configuration } from './use-draft';

interface StepProps {
  type: AutomationType;
  configuration: Configuration;
  onChange: (patch: Configuration) => void;
  /** Message by field. */
  problems: Readonly<Record<string, string>>;
}

const text = (configuration: Configuration, field: string) => (typeof configuration[field] === 'string' ? configuration[field] : '');

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
          <TextField
            label="Palavra-chave"
            hint="Quem comentar esta palavra recebe a mensagem."
            maxLength={textLimits.targetKeyword}
            {...field('targetKeyword')}
          />
          <TextField isMultiline label="Mensagem por direct" maxLength={textLimits.dmMessage} {...field('dmMessage')} />
          <label className="flex min-h-11 items-center gap-3 font-medium">
            <input
              type="checkbox"
              className="size-5 accent-brand"
              checked={configuration['replyToComment'] === true}
              onChange={(event) => onChange({ replyToComment: event.target.checked })}
            />
            Responder também ao comentário
          </label>
          {configuration['replyToComment'] === true && (
            <TextField isMultiline label="Comentário de resposta" maxLength={textLimits.replyMessage} {...field('replyMessage')} />
          )}
        </>
      )}
      {type === 'auto-comment' && <CommentsField configuration={configuration} onChange={onChange} error={problems['commentsList']} />}
      {type === 'prize-extractor' && <p className="rounded-xl bg-sunken p-4">O cadastro de prêmios da roleta chega em breve.</p>}
    </div>
  );
}
