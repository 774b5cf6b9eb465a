import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';

/** Asks before something unsaved is left: by a link, by going back, by closing the tab. Steps of the same page are free. */
export function LeaveGuard({ isActive }: { isActive: boolean }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => isActive && currentLocation.pathname !== nextLocation.pathname);
  useEffect(() => {
    if (!isActive) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isActive]);
  return (
    <Dialog
      isOpen={blocker.state === 'blocked'}
      onClose={() => blocker.reset?.()}
      title="Sair sem salvar?"
      description="O que você preencheu fica guardado nesta aba, menos o cookie."
    >
      <div className="grid gap-2 sm:flex sm:flex-row-reverse">
        <Button onClick={() => blocker.reset?.()}>Continuar editando</Button>
        <Button variant="outline" onClick={() => blocker.proceed?.()}>
          Sair sem salvar
        </Button>
      </div>
    </Dialog>
  );
}
