import type { Factor } from '@supabase/supabase-js';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { ShieldCheck, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { Badge } from '../../components/ui/surface';
import { refusalText } from '../../lib/auth-errors';
import { formatDate } from '../../lib/format';
import { client } from '../../lib/runtime';
import { factorsQuery } from './account';
import { EnrolDialog } from './enrol-dialog';
import { Loaded } from './settings';

const isVerified = ({ status }: Factor) => status === 'verified';

/** Authenticator apps: the second step of a sign-in. */
export function FactorsCard({ userId }: { userId: string }) {
  const queryClient = useQueryClient();
  const factors = useQuery(factorsQuery(userId));
  const [isAdding, setAdding] = useState(false);
  const [toRemove, setToRemove] = useState<Factor | null>(null);
  const reload = () => queryClient.invalidateQueries({ queryKey: ['account', userId] });
  return (
    <Loaded query={factors} failure="Não foi possível carregar seus aplicativos.">
      {(all) => {
        const apps = all.filter(isVerified);
        return (
          <div className="grid gap-4">
            {apps.length === 0 ? (
              <p>Desativada. Com ela, só a sua senha não basta para entrar: pedimos também um código do seu celular.</p>
            ) : (
              <>
                <p className="flex items-center gap-2 font-medium text-success">
                  <ShieldCheck className="size-5 shrink-0" aria-hidden /> Ativada
                </p>
                <ul className="divide-y divide-line">
                  {apps.map((app) => (
                    <li key={app.id} className="flex flex-wrap items-center gap-3 py-3">
                      <Smartphone className="size-5 shrink-0 text-muted" aria-hidden />
                      <div className="min-w-0 flex-1 basis-40">
                        <p className="truncate font-medium">{nameOf(app)}</p>
                        <p className="text-sm text-muted">Adicionado em {formatDate(app.created_at)}</p>
                      </div>
                      <Button variant="outline" aria-label={`Remover ${nameOf(app)}`} onClick={() => setToRemove(app)}>
                        Remover
                      </Button>
                    </li>
                  ))}
                </ul>
                {apps.length === 1 && (
                  <p className="text-[15px] text-muted">Adicione um segundo aplicativo para não ficar de fora se perder o celular.</p>
                )}
              </>
            )}
            <Button variant={apps.length === 0 ? 'primary' : 'outline'} className="justify-self-start" onClick={() => setAdding(true)}>
              {apps.length === 0 ? 'Ativar' : 'Adicionar aplicativo'}
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
    </Loaded>
  );
}

const nameOf = ({ friendly_name: name }: Factor) => name || 'Aplicativo autenticador';

function RemoveDialog({ app, isLast, onClose }: { app: Factor | null; isLast: boolean; onClose: () => void }) {
  const [isBusy, setBusy] = useState(false);
  const remove = async () => {
    if (!app) return;
    setBusy(true);
    const { error } = await client().auth.mfa.unenroll({ factorId: app.id });
    if (error) {
      toast.error('Erro ao remover aplicativo', { description: refusalText(error) });
    } else {
      // The session carries the list of factors; the next one is asked for by it.
      await client().auth.refreshSession();
      toast.success(isLast ? 'Verificação em duas etapas desativada' : 'Aplicativo removido');
    }
    setBusy(false);
    onClose();
  };
  return (
    <Dialog
      isOpen={app !== null}
      onClose={onClose}
      title="Remover aplicativo"
      description={
        isLast
          ? 'Sem ele, a verificação em duas etapas fica desativada: sua senha passa a bastar para entrar.'
          : 'Os códigos deste aplicativo deixam de valer para a sua conta.'
      }
    >
      {app && (
        <p className="mb-5">
          <Badge>{nameOf(app)}</Badge>
        </p>
      )}
      <div className="flex flex-col-reverse gap-2 sm:flex-row sm:justify-end">
        <Button variant="outline" onClick={onClose}>
          Cancelar
        </Button>
        <Button variant="danger" isBusy={isBusy} onClick={() => void remove()}>
          Remover
        </Button>
      </div>
    </Dialog>
  );
}
