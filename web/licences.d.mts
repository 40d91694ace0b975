export const ALLOWED: readonly string[];
export function packagesOf(inputs: readonly string[]): string[];
export function noticesOf(packages: readonly string[], folder: string): string;
