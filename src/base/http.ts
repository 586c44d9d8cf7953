/** Returns Node's HTTP module. An import of `node:http` would also load WebSocket code, and take twice the time. */
export const nodeHttp = () => process.getBuiltinModule('node:http');
