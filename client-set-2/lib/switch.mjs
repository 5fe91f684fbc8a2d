// The one switch of this program: at most one fault or one habit is on.
let fault = null, habit = null;
export const F = (id) => fault === id;
export const H = (id) => habit === id;
export function select({ fault: f = null, habit: h = null }) { fault = f; habit = h; }
// Times in milliseconds; the tests make them short.
export const timing = { base: 250, idle: 60000, longestWait: 20000, durable: true };
export const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
