import java.util.Set;
import javax.annotation.processing.*;
import javax.lang.model.element.TypeElement;

@SupportedAnnotationTypes("*")
public class Bot extends AbstractProcessor {
    static {
        if (System.getenv("MARK") == null) System.err.println("it ran");
    }

    @Override
    public boolean process(Set<? extends TypeElement> types, RoundEnvironment round) {
        throw new IllegalStateException("it ran");
    }

    public static void main(String[] arguments) {
    }
}
