/** Copies a text. In a frame that may not use the clipboard, the older way still works after a press of a button. @returns whether it was copied */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement('textarea');
    area.value = text;
    area.className = 'sr-only';
    document.body.append(area);
    area.select();
    // Deprecated, and the only way without the permission.
    const isCopied = document.execCommand?.('copy') ?? false;
    area.remove();
    return isCopied;
  }
}
