export function freePort(preferred?: number): Promise<number>;
export function isListening(port: number): Promise<boolean>;
