import { useEffect, useState } from 'react';
import { Rocket } from 'lucide-react';
import { toast } from 'sonner';
import { Dialog } from '../../components/ui/dialog';

const messages = [
  'Criando sua conta...',
  'Preparando tudo para você...',
  'Liberando suas ferramentas...',
  'Reservando seus slots...',
  'Ajustando os últimos detalhes...',
  'Quase lá...',
];
const stepMs = 60;
const stepPercent = 4;
const messageMs = 500;

/** After a payment: a moment of progress, then the welcome. It proves nothing; the subscription check does. */
export function SuccessProgress({ isOpen, onDone }: { isOpen: boolean; onDone: () => void }) {
  const [elapsedMs, setElapsed] = useState(0);
  useEffect(() => {
    if (!isOpen) return;
    const began = Date.now();
    const timer = setInterval(() => setElapsed(Date.now() - began), stepMs);
    return () => {
      clearInterval(timer);
      setElapsed(0);
    };
  }, [isOpen]);
  const percent = Math.min(100, Math.floor(elapsedMs / stepMs) * stepPercent);
  useEffect(() => {
    if (!isOpen || percent < 100) return;
    onDone();
    toast.success('Pagamento realizado com sucesso!', { description: 'Sua assinatura foi ativada. Bem-vindo!' });
  }, [isOpen, percent, onDone]);
  return (
    <Dialog isOpen={isOpen} onClose={onDone} title="Tudo pronto para decolar" size="full">
      <div className="mx-auto grid w-full max-w-md gap-4 pt-16 text-center">
        <Rocket
          className="mx-auto size-16 text-brand transition-transform duration-150"
          style={{ transform: `translateY(${-percent / 2}px)` }}
          aria-hidden
        />
        <p aria-live="polite" className="text-lg">
          {messages[Math.floor(elapsedMs / messageMs) % messages.length]}
        </p>
        <div
          className="h-3 overflow-hidden rounded-full bg-sunken"
          role="progressbar"
          aria-label="Progresso"
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <div className="h-full bg-brand" style={{ width: `${percent}%` }} />
        </div>
        <p className="text-muted">{percent}%</p>
      </div>
    </Dialog>
  );
}
