/** The breakpoints of `look.css`, which vite.config.ts fills in. */
declare const BREAKPOINTS: Record<string, string>;
