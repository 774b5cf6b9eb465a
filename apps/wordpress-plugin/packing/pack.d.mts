/** Folder of the plugin's files. */
export const source: string;
/** @throws when header, constant, readme and package differ */
export function pluginVersion(): string;
/** Writes the ZIP file. `siteUrl`: public address of the product, which the plugin asks for articles. @returns its names */
export function packPlugin(target: string, productName?: string, siteUrl?: string): Promise<string[]>;
