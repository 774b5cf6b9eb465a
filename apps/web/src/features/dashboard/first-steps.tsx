import { Dial } from '../../components/ui/dial';
import { automationListTexts, sceneTexts as texts } from './texts';

/** Shown instead of an empty list: the steps to the first automation. */
export function FirstSteps() {
  return (
    <div className="grid gap-6 rounded-panel p-5 inset-ring-[1.5px] inset-ring-line sm:p-6 lg:grid-cols-[20rem_minmax(0,1fr)] lg:items-center lg:gap-12 lg:p-8">
      <div>
        <p className="display text-lg">{automationListTexts.empty}</p>
        <p className="mt-1 text-md text-muted">{texts.ready}</p>
      </div>
      <ol className="grid gap-3.5 lg:grid-cols-3 lg:gap-6">
        {texts.steps.map(([title, text], index) => (
          <li key={title} className="grid grid-cols-[44px_minmax(0,1fr)] items-center gap-3.5">
            <Dial state="idle" size="small">
              <span className="text-sm font-semibold">{index + 1}</span>
            </Dial>
            <span>
              <span className="block text-md leading-snug font-semibold">{title}</span>
              <span className="text-sm text-muted">{text}</span>
            </span>
          </li>
        ))}
      </ol>
    </div>
  );
}
