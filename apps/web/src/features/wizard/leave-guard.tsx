import { useEffect } from 'react';
import { useBlocker } from 'react-router-dom';
import { Button } from '../../components/ui/button';
import { Dialog } from '../../components/ui/dialog';
import { leaveTexts as texts } from './texts';

/**
 * Asks for confirmation before unsaved changes are lost by a link, the back button or closing the tab. Steps within the wizard never ask.
 * @param onLeave called when the customer confirms that the changes are lost
 */
export function LeaveGuard({ isActive, onLeave }: { isActive: boolean; onLeave: () => void }) {
  const blocker = useBlocker(({ currentLocation, nextLocation }) => isActive && currentLocation.pathname !== nextLocation.pathname);
  useEffect(() => {
    if (!isActive) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isActive]);
  return (
    <Dialog isOpen={blocker.state === 'blocked'} onClose={() => blocker.reset?.()} title={texts.title} description={texts.description}>
      <div className="grid gap-2 sm:flex sm:flex-row-reverse">
        <Button onClick={() => blocker.reset?.()}>{texts.stay}</Button>
        <Button
          variant="secondary"
          onClick={() => {
            onLeave();
            blocker.proceed?.();
          }}
        >
          {texts.leave}
        </Button>
      </div>
    </Dialog>
  );
}
