import type { LeadWebhookAnswer, LeadWebhookBody } from '@decola/contracts';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Copy } from 'lucide-react';
import { useState } from 'react';
import { useValidatedForm } from '../../components/forms/use-validated-form';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { TextField } from '../../components/ui/field';
import { Lamp } from '../../components/ui/lamp';
import { Notice } from '../../components/ui/surface';
import { toast } from '../../lib/toast';
import { livePolling } from '../../lib/live-state';
import { useErrorToast } from '../../lib/use-error-toast';
import { QueryContent } from '../account/settings-section';
import { Deliveries } from './deliveries';
import { settingTexts as texts } from './texts';
import { useCopy } from './use-copy';
import { callWheelFunction, refusalOf } from './wheel-function';

type Webhook = NonNullable<LeadWebhookAnswer['webhook']>;

/** How often deliveries are read while one is on its way, and otherwise. */
const pollMs = { waiting: 3_000, idle: 60_000 };

const webhookQuery = (userId: string, automationId: string) =>
  queryOptions({
    queryKey: ['lead_webhook', userId, automationId],
    queryFn: () => callWheelFunction<LeadWebhookAnswer>('lead-webhook', { automationId, action: 'get' }),
    meta: { tables: ['leads'] },
    refetchInterval: ({ state }) =>
      state.data?.deliveries.some(({ status }) => status === 'waiting') ? pollMs.waiting : livePolling(pollMs.idle, pollMs.idle),
  });

type Change = { action: LeadWebhookBody['action']; url?: string; deliveryId?: string };

/** Changes the webhook; every answer holds how it is now. */
function useWebhookChange(userId: string, automationId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (change: Change) => callWheelFunction<LeadWebhookAnswer>('lead-webhook', { automationId, ...change }),
    onSuccess: (answer) => {
      const shown = answer.webhook && { ...answer.webhook, secret: null };
      queryClient.setQueryData(webhookQuery(userId, automationId).queryKey, { ...answer, webhook: shown });
    },
  });
}

interface WebhookSettingsProps {
  userId: string;
  automationId: string;
}

/** An address of the customer that is told each lead: set, test, remove, and what became of the last hundred deliveries. */
export function WebhookSettings({ userId, automationId }: WebhookSettingsProps) {
  const query = useQuery(webhookQuery(userId, automationId));
  const [isEditing, setEditing] = useState(false);
  /** Shown once: it is in no later answer. */
  const [secret, setSecret] = useState<string | null>(null);
  return (
    <QueryContent query={query} failure={texts.loadFailed}>
      {({ webhook, deliveries }) => (
        <div className="grid gap-5">
          {secret !== null && <Secret secret={secret} />}
          {webhook && !isEditing ? (
            <Stored
              userId={userId}
              automationId={automationId}
              webhook={webhook}
              onEdit={() => setEditing(true)}
              onRemoved={() => setSecret(null)}
            />
          ) : (
            <AddressForm
              userId={userId}
              automationId={automationId}
              stored={webhook?.url ?? ''}
              onSaved={(saved) => {
                setSecret(saved);
                setEditing(false);
              }}
              onCancel={webhook ? () => setEditing(false) : undefined}
            />
          )}
          {(webhook || deliveries.length > 0) && <DeliveryList userId={userId} automationId={automationId} deliveries={deliveries} />}
        </div>
      )}
    </QueryContent>
  );
}

interface AddressFormProps extends WebhookSettingsProps {
  stored: string;
  onSaved: (secret: string | null) => void;
  onCancel: (() => void) | undefined;
}

function AddressForm({ userId, automationId, stored, onSaved, onCancel }: AddressFormProps) {
  const { field, handleSubmit, showError, failureToast, isSubmitting } = useValidatedForm({ url: stored });
  const change = useWebhookChange(userId, automationId);
  const save = handleSubmit(async ({ url }) => {
    try {
      const { webhook } = await change.mutateAsync({ action: 'set', url: url.trim() });
      toast.success(texts.saved);
      onSaved(webhook?.secret ?? null);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === null) failureToast.show(texts.failed);
      else showError('url', refusal);
    }
  });
  return (
    <form className="grid gap-4" noValidate onSubmit={save}>
      <TextField
        type="url"
        inputMode="url"
        label={texts.url}
        hint={texts.urlHint}
        placeholder="https://"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={2_000}
        {...field('url', { validate: (url) => (url.trim() === '' ? texts.urlMissing : undefined) })}
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="ink" isBusy={isSubmitting}>
          {texts.save}
        </Button>
        {onCancel && (
          <Button variant="quiet" onClick={onCancel} disabled={isSubmitting}>
            {texts.cancel}
          </Button>
        )}
      </div>
    </form>
  );
}

function Secret({ secret }: { secret: string }) {
  const { copyText } = useCopy();
  return (
    <div role="status">
      <Notice tone="success">
        <p className="font-semibold">{texts.secret}</p>
        <p className="mt-0.5 text-sm">{texts.secretHint}</p>
        <p className="mt-2 flex items-center gap-2">
          <code className="min-w-0 flex-1 font-sans text-sm break-all tabular-nums">{secret}</code>
          <Button variant="secondary" size="icon" aria-label={texts.copySecret} title={texts.copySecret} onClick={() => copyText(secret)}>
            <Copy className="size-5" aria-hidden />
          </Button>
        </p>
      </Notice>
    </div>
  );
}

interface StoredProps extends WebhookSettingsProps {
  webhook: Webhook;
  onEdit: () => void;
  onRemoved: () => void;
}

function Stored({ userId, automationId, webhook: { url, state }, onEdit, onRemoved }: StoredProps) {
  const change = useWebhookChange(userId, automationId);
  const failure = useErrorToast();
  const [isRemoving, setRemoving] = useState(false);
  const busyWith = change.isPending ? change.variables.action : null;
  const act = (action: 'test' | 'remove', done: () => void) => {
    failure.clear();
    change.mutate({ action }, { onSuccess: done, onError: (error) => failure.show(refusalOf(error) ?? texts.failed) });
  };
  return (
    <div className="grid gap-3">
      <div>
        <Lamp state={state === 'active' ? 'on' : 'stop'} className="-ml-[3px]">
          {texts.states[state]}
        </Lamp>
        <p className="mt-1 font-medium [overflow-wrap:anywhere]">{url}</p>
        {state === 'ended' && <p className="mt-1 text-md text-pretty text-muted">{texts.endedText}</p>}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          variant="secondary"
          size="small"
          isBusy={busyWith === 'test'}
          disabled={busyWith !== null}
          onClick={() => act('test', () => toast.success(texts.tested))}
        >
          {texts.test}
        </Button>
        <Button variant="quiet" size="small" disabled={busyWith !== null} onClick={onEdit}>
          {texts.change}
        </Button>
        <Button variant="quiet" size="small" className="text-danger" disabled={busyWith !== null} onClick={() => setRemoving(true)}>
          {texts.remove}
        </Button>
      </div>
      <Dialog
        isOpen={isRemoving}
        onClose={() => busyWith === null && setRemoving(false)}
        title={texts.removing.title}
        description={texts.removing.text}
      >
        <div className="grid gap-2 sm:flex sm:flex-row-reverse">
          <Button
            variant="danger"
            isBusy={busyWith === 'remove'}
            onClick={() =>
              act('remove', () => {
                toast.success(texts.removed);
                setRemoving(false);
                onRemoved();
              })
            }
          >
            {texts.removing.confirm}
          </Button>
          <Button variant="secondary" disabled={busyWith !== null} onClick={() => setRemoving(false)}>
            {texts.cancel}
          </Button>
        </div>
      </Dialog>
    </div>
  );
}

function DeliveryList({ userId, automationId, deliveries }: WebhookSettingsProps & Pick<LeadWebhookAnswer, 'deliveries'>) {
  const change = useWebhookChange(userId, automationId);
  const failure = useErrorToast();
  const resend = (deliveryId: string) => {
    failure.clear();
    change.mutate(
      { action: 'resend', deliveryId },
      { onSuccess: () => toast.success(texts.resent), onError: (error) => failure.show(refusalOf(error) ?? texts.failed) },
    );
  };
  return <Deliveries deliveries={deliveries} busy={change.isPending ? (change.variables.deliveryId ?? null) : null} onResend={resend} />;
}
