"use strict";
Object.defineProperty(exports, "__esModule", { value: true });
exports.createBell = void 0;
/** A bell that was not rung. */
var createBell = function () {
    var isRung = false;
    var answer;
    return {
        ring: function () {
            isRung = answer === undefined;
            answer === null || answer === void 0 ? void 0 : answer('rung');
            answer = undefined;
        },
        clear: function () {
            isRung = false;
        },
        wait: function () {
            return new Promise(function (resolve) {
                answer = isRung ? undefined : resolve;
                if (isRung)
                    resolve('rung');
                isRung = false;
            });
        },
    };
};
exports.createBell = createBell;
