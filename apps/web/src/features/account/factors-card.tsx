import type { Factor } from '@supabase/supabase-js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Smartphone } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { Lamp } from '../../components/ui/lamp';
import { Badge } from '../../components/ui/surface';
import { client } from '../../lib/api-client';
import { refusalText } from '../../lib/auth-errors';
import { formatDate } from '../../lib/format';
import { toast } from '../../lib/toast';
import { useErrorToast } from '../../lib/use-error-toast';
import { factorsQuery } from './account-queries';
import { EnrolDialog } from './enrol-dialog';
import { QueryContent } from './settings-section';
import { factorsTexts as texts } from './texts';

const isVerified = ({ status }: Factor) => status === 'verified';

/** Authenticator apps, the second factor of a sign-in. */
export function FactorsCard({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  const factors = useQuery(factorsQuery(userId));
  const [isAdding, setAdding] = useState(false);
  const [toRemove, setToRemove] = useState<Factor | null>(null);
  const reload = () => queryClient.invalidateQueries({ queryKey: ['account', userId] });
  return (
    <QueryContent query={factors} failure={texts.loadFailed}>
      {(all) => {
        const apps = all.filter(isVerified);
        return (
          <div className="grid gap-4">
            {apps.length === 0 ? (
              <p className="text-muted">{texts.off}</p>
            ) : (
              <>
                <Lamp state="on">{texts.on}</Lamp>
                <ul className="divide-y divide-line">
                  {apps.map((app) => (
                    <li key={app.id} className="flex flex-wrap items-center gap-3 py-3">
                      <Smartphone className="size-5 shrink-0 text-muted" strokeWidth={1.75} aria-hidden />
                      <div className="min-w-0 flex-1 basis-40">
                        <p className="font-semibold">{nameOf(app)}</p>
                        <p className="text-sm text-muted">{texts.addedOn(formatDate(app.created_at))}</p>
                      </div>
                      <Button variant="quiet" aria-label={texts.removeNamed(nameOf(app))} onClick={() => setToRemove(app)}>
                        {texts.remove}
                      </Button>
                    </li>
                  ))}
                </ul>
                {apps.length === 1 && <p className="text-md text-muted">{texts.addSecond}</p>}
              </>
            )}
            <Button variant="secondary" className="justify-self-start" onClick={() => setAdding(true)}>
              {apps.length === 0 ? texts.activate : texts.add}
            </Button>
            {isAdding && (
              <EnrolDialog
                existing={all}
                onClose={() => {
                  setAdding(false);
                  void reload();
                }}
              />
            )}
            <RemoveDialog
              app={toRemove}
              isLast={apps.length === 1}
              onClose={() => {
                setToRemove(null);
                void reload();
              }}
            />
          </div>
        );
      }}
    </QueryContent>
  );
}

const nameOf = ({ friendly_name: name }: Factor) => name || texts.unnamed;

function RemoveDialog({ app, isLast, onClose }: { app: Factor | null; isLast: boolean; onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const failure = useErrorToast();
  const remove = async () => {
    if (!app) return;
    failure.clear();
    setBusy(true);
    const { error } = await client().auth.mfa.unenroll({ factorId: app.id });
    if (error) {
      failure.show(texts.removal.failed, { description: refusalText(error) });
    } else {
      // The session holds the list of factors: refresh it, so that the page and the next sign-in use the current one.
      await client().auth.refreshSession();
      toast.success(isLast ? texts.removal.removedLast : texts.removal.removedOther);
    }
    setBusy(false);
    onClose();
  };
  return (
    <Dialog
      isOpen={app !== null}
      onClose={onClose}
      title={texts.removal.title}
      description={isLast ? texts.removal.last : texts.removal.other}
    >
      {app && (
        <p className="mb-5">
          <Badge>{nameOf(app)}</Badge>
        </p>
      )}
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="quiet" onClick={onClose}>
          {texts.removal.cancel}
        </Button>
        <Button variant="danger" isBusy={isBusy} onClick={() => void remove()}>
          {texts.remove}
        </Button>
      </div>
    </Dialog>
  );
}
