(* Uses too much of what it is told to. *)
let rec deeper depth = deeper (depth + 1) + 1

let () =
  match Sys.argv.(1) with
  | "heap" ->
    let all = ref [] in
    while true do all := Bytes.make 65536 'x' :: !all done
  | "stack" -> ignore (deeper 0)
  | _ -> while true do () done
