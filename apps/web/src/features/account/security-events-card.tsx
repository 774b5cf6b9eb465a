import type { SecurityEventKind } from '@decola/contracts';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../components/ui/button';
import { classes } from '../../lib/classes';
import { formatDateTime } from '../../lib/format';
import { securityEventsQuery } from './account';
import { deviceName } from './device';
import { Loaded } from './settings';

const labels: Record<SecurityEventKind, string> = {
  'account.created': 'Conta criada',
  'account.exported': 'Dados baixados',
  'account.erased': 'Conta excluída',
  'email.change_requested': 'Mudança de email pedida',
  'email.changed': 'Email alterado',
  'erasure.asked': 'Exclusão da conta pedida',
  'factor.added': 'Aplicativo autenticador adicionado',
  'factor.removed': 'Aplicativo autenticador removido',
  'factor.wrong_code': 'Código de verificação incorreto',
  'password.changed': 'Senha alterada',
  'recovery.requested': 'Recuperação de senha pedida',
  'recovery.used': 'Link de recuperação usado',
  'role.granted': 'Permissão concedida',
  'role.revoked': 'Permissão retirada',
  'session.ended': 'Sessão encerrada',
  'session.reused_token': 'Sessão encerrada por suspeita de cópia',
  'sign_in.otp': 'Entrada por link de email',
  'sign_in.password': 'Entrada com senha',
  'sign_in.second_factor': 'Entrada confirmada com código',
  'sign_in.wrong_password': 'Tentativa de entrada com senha errada',
};
const alarming = /wrong|reused/;
const step = 10;

/** What happened, in the person's words; also for kinds that are newer than this page. */
export function securityEventLabel(kind: string): string {
  return (labels as Record<string, string>)[kind] ?? 'Atividade na conta';
}

/** What happened to the account lately, newest first. */
export function SecurityEventsCard({ userId }: { userId: string }) {
  const [count, setCount] = useState(step);
  const events = useQuery(securityEventsQuery(userId, count));
  return (
    <Loaded query={events} failure="Não foi possível carregar a atividade da conta.">
      {({ rows, hasMore }) =>
        rows.length === 0 ? (
          <p className="text-muted">Nada aconteceu ainda. Entradas e mudanças de senha aparecem aqui.</p>
        ) : (
          <div className="grid gap-4">
            <ol className="divide-y divide-line">
              {rows.map(({ id, kind, ip, user_agent: userAgent, created_at: at }) => (
                <li key={id} className="py-2.5 first:pt-0">
                  <p className={classes('font-medium', alarming.test(kind) && 'text-danger')}>{securityEventLabel(kind)}</p>
                  <p className="text-sm text-muted">
                    <time dateTime={at}>{formatDateTime(at)}</time>
                    {userAgent && ` · ${deviceName(userAgent)}`}
                    {ip && <span className="block break-all">IP {ip}</span>}
                  </p>
                </li>
              ))}
            </ol>
            {hasMore && (
              <Button
                variant="outline"
                className="justify-self-start"
                isBusy={events.isPlaceholderData}
                onClick={() => setCount((before) => before + 2 * step)}
              >
                Mostrar mais
              </Button>
            )}
          </div>
        )
      }
    </Loaded>
  );
}
