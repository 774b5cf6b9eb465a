import type { ExternalToast, toast as sonnerToast } from 'sonner';

type ToastLibrary = Pick<typeof sonnerToast, 'success' | 'error' | 'info' | 'warning' | 'dismiss'>;
type ToastId = string | number;

let library: ToastLibrary | undefined;
const waiting: ((library: ToastLibrary) => void)[] = [];
let published = 0;

function run(call: (library: ToastLibrary) => void): void {
  if (library) call(library);
  else waiting.push(call);
}

const publish =
  (kind: 'success' | 'error' | 'info' | 'warning') =>
  (title: string, options: ExternalToast = {}): ToastId => {
    const id = options.id ?? `toast-${(published += 1)}`;
    run((loaded) => loaded[kind](title, { ...options, id }));
    return id;
  };

/**
 * Publishes short messages. It does not load the library that shows them: the sign-in page loads that together with the `Toaster`, after the person
 * has started to type. Messages that are published before are shown then.
 */
export const toast = {
  success: publish('success'),
  error: publish('error'),
  info: publish('info'),
  warning: publish('warning'),
  /** Closes one message, or all of them. */
  dismiss: (id?: ToastId) => run((loaded) => loaded.dismiss(id)),
};

/** Called by the `Toaster` when its library has loaded. */
export function showToastsWith(loaded: ToastLibrary): void {
  library = loaded;
  for (const call of waiting.splice(0)) call(loaded);
}
